# SPDX-License-Identifier: BSD-3-Clause
"""Draw every picture again: `make pictures`."""

from docs.pictures import pipeline, shuffle, system, waves

pipeline.draw()
shuffle.draw()
system.draw()
waves.main()
