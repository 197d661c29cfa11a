# SPDX-License-Identifier: Apache-2.0 OR MIT
# The example in the README is examples/msm.c, but for line breaks.
file(READ ${ROOT}/README.md readme)
file(READ ${ROOT}/examples/msm.c example)
string(REGEX MATCH "```c\n[^`]*```" shown "${readme}")
string(REGEX REPLACE "```c?" "" shown "${shown}")
string(REGEX REPLACE "[ \n]" "" shown "${shown}")
string(REGEX REPLACE "^/\\* SPDX[^\n]*" "" example "${example}")
string(REGEX REPLACE "[ \n]" "" example "${example}")
if(shown STREQUAL "" OR NOT shown STREQUAL example)
    message(FATAL_ERROR "The C example in README.md is not examples/msm.c")
endif()
