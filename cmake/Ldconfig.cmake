# SPDX-License-Identifier: Apache-2.0 OR MIT
# This is the last step of an installation or uninstallation. It lets programs find the shared libraries in LIBRARY_FOLDER. If
# the system's loader searches that folder, the loader's cache is rebuilt. If this is impossible, a message says what to do.
# With DESTDIR nothing happens, because the files are for another system.
#   LIBRARY_FOLDER, an absolute path; REMOVED, true after an uninstallation
cmake_minimum_required(VERSION 3.22)
if(NOT "$ENV{DESTDIR}" STREQUAL "")
    return()
endif()
# Usually only root's PATH contains the folder of ldconfig.
find_program(LDCONFIG ldconfig PATHS /sbin /usr/sbin)
find_program(ID id)
if(NOT LDCONFIG OR NOT ID)
    return() # a loader without ldconfig keeps no cache
endif()
# With these options ldconfig only lists the folders that the loader knows: "/usr/local/lib: (from ...)"
execute_process(COMMAND ${LDCONFIG} -N -X -v OUTPUT_VARIABLE known ERROR_QUIET)
file(REAL_PATH ${LIBRARY_FOLDER} real_folder)
string(REGEX MATCHALL "[^\n\t][^:\n]*:" folders "${known}")
execute_process(COMMAND ${ID} -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT "${LIBRARY_FOLDER}:" IN_LIST folders AND NOT "${real_folder}:" IN_LIST folders)
    if(NOT REMOVED)
        message(STATUS "The system's loader does not look into ${LIBRARY_FOLDER}: link programs with -Wl,-rpath,${LIBRARY_FOLDER}, "
                       "or set LD_LIBRARY_PATH for them. sumac itself finds its library.")
    endif()
elseif(user STREQUAL "0")
    execute_process(COMMAND ${LDCONFIG} RESULT_VARIABLE failed)
    if(failed)
        message(WARNING "${LDCONFIG} failed: programs may not find the libraries in ${LIBRARY_FOLDER}.")
    endif()
elseif(NOT REMOVED)
    message(STATUS "Have root run ldconfig: programs find the libraries in ${LIBRARY_FOLDER} then.")
endif()
