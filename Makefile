# SPDX-License-Identifier: Apache-2.0 OR MIT
# A few names over CMake; `cmake --list-presets` shows more builds.
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)
BUILD := build
# More options of the build, as OPTIONS=-DSUMAC_WERROR=ON. The build folder remembers them, and CURVES and CUDA, too.
# `make test` and `make demo` alone install packages that are missing; all else says which these are.
OPTIONS :=
# The curves to build, as CURVES=bn254,bls12-381 or CURVES=bn254-g1; a new folder's choice is all.
CURVES :=
# The CUDA engine: 1 builds it, 0 leaves it out, auto (a new folder's choice) builds it where nvcc and a GPU are found.
CUDA :=
cuda_option := $(if $(CUDA),-DSUMAC_CUDA=$(or $(patsubst $(CUDA)=%,%,$(filter $(CUDA)=%,1=ON 0=OFF auto=AUTO)),$(error \
    CUDA is "$(CUDA)", and may be 1, 0 or auto)))

# The demo has a folder of its own with the curve that it needs, unless there is a build.
DEMO_BUILD := $(if $(wildcard $(BUILD)/CMakeCache.txt),$(BUILD),build-demo)

.PHONY: all configure demo test bench install uninstall format lint clean

# Without the tests. `sumac_engines` is what contexts load when the program runs.
all: configure
	cmake --build $(BUILD) --parallel $(JOBS) --target sumac_program sumac_shared sumac_static sumac_engines sumac_compat sumac_mpi \
	    sumac_documents

# A new folder's build has no tests; `make test` turns them on, and they stay.
configure:
	@$(if $(filter 1,$(CUDA)),tools/install-deps.sh --check cuda)
	@cmake -S . -B $(BUILD) $(if $(wildcard $(BUILD)/CMakeCache.txt),,$(if $(shell command -v ninja),-G Ninja) -DSUMAC_TESTS=OFF) \
	    $(cuda_option) $(if $(CURVES),"-DSUMAC_CURVES=$(CURVES)") $(OPTIONS) --log-level=STATUS

demo:
	@tools/install-deps.sh build
	@$(MAKE) --no-print-directory configure BUILD=$(DEMO_BUILD) $(if $(filter build-demo,$(DEMO_BUILD)),CURVES=bls12-381)
	cmake --build $(DEMO_BUILD) --parallel $(JOBS) --target sumac_program sumac_engines
	@tools/demo.sh $(DEMO_BUILD)

test:
	@tools/install-deps.sh test
	@$(MAKE) --no-print-directory configure OPTIONS="$(subst ",\",$(OPTIONS)) -DSUMAC_TESTS=ON"
	cmake --build $(BUILD) --parallel $(JOBS)
	tools/run-tests.sh $(BUILD) --parallel $$(($(JOBS) + 1)) # some wait most of their time

bench: all
	$(BUILD)/sumac bench

install: all
	DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

# What the last installation put down; the manifest has its prefix.
uninstall:
	DESTDIR=$(DESTDIR) cmake -DBUILD=$(BUILD) -P cmake/Uninstall.cmake

format:
	@tools/install-deps.sh --check lint
	tools/lint.sh --fix-format

lint:
	@tools/install-deps.sh --check lint
	@$(MAKE) --no-print-directory configure
	tools/lint.sh $(BUILD)

clean:
	rm -rf $(BUILD) build-*
