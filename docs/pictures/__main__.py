# SPDX-License-Identifier: BSD-3-Clause
"""Draw every picture again: `make pictures`."""

from docs.pictures import pipeline, shuffle, stages, style, system, waves

with style.applied():
    pipeline.draw()
    shuffle.draw()
    stages.draw()
    system.draw()
    waves.main()
