# SPDX-License-Identifier: Apache-2.0 OR MIT
# This function makes the allocations and threads of a program fail on demand (support/failing.h). TARGET must link
# sumac_internal.
get_filename_component(SUMAC_TESTS_DIR ${CMAKE_CURRENT_LIST_DIR}/.. ABSOLUTE)
function(sumac_link_failing target)
    target_sources(${target} PRIVATE ${SUMAC_TESTS_DIR}/support/failing.c)
    target_link_options(${target} PRIVATE
        -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=pthread_create,--wrap=memory_missing)
endfunction()
