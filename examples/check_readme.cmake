# SPDX-License-Identifier: Apache-2.0 OR MIT
# The lines of C in the README must be lines of examples/msm.c, except for white space.
file(READ ${ROOT}/README.md readme)
file(READ ${ROOT}/examples/msm.c example)
string(REGEX MATCH "```c\n[^`]*```" shown "${readme}")
string(REGEX REPLACE "```c?" "" shown "${shown}")
string(REGEX REPLACE "[ \n]" "" shown "${shown}")
string(REGEX REPLACE "[ \n]" "" example "${example}")
string(FIND "${example}" "${shown}" position)
if(shown STREQUAL "" OR position EQUAL -1)
    message(FATAL_ERROR "The lines of C in README.md are not in examples/msm.c")
endif()
