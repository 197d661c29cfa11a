# SPDX-License-Identifier: Apache-2.0 OR MIT
# A few names over CMake; `cmake --list-presets` shows more builds.
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)
BUILD := build
# OPTIONS are more options of CMake, such as OPTIONS=-DSUMAC_WERROR=ON. The build folder remembers them, CURVES and CUDA.
# Only `make test`, `make demo` and `make dist` install missing packages; other targets name them.
OPTIONS :=
# CURVES are the curves to build, such as CURVES=bn254,bls12-381 or CURVES=bn254-g1; a new folder builds all.
CURVES :=
# CUDA=1 builds the CUDA engine, 0 leaves it out, auto (the choice of a new folder) builds it if nvcc and a GPU are found.
CUDA :=
cuda_option := $(if $(CUDA),-DSUMAC_CUDA=$(or $(patsubst $(CUDA)=%,%,$(filter $(CUDA)=%,1=ON 0=OFF auto=AUTO)),$(error \
    CUDA is "$(CUDA)", and may be 1, 0 or auto)))

# Unless there is a build, the demo uses a separate folder, with only the curve that it needs.
DEMO_BUILD := $(if $(wildcard $(BUILD)/CMakeCache.txt),$(BUILD),build-demo)

.PHONY: all configure demo test bench install uninstall format lint site dist clean

# This builds everything except the tests. `sumac_engines` are the libraries that contexts load when the program runs.
all: configure
	cmake --build $(BUILD) --parallel $(JOBS) --target sumac_program sumac_shared sumac_static sumac_engines sumac_compat sumac_mpi \
	    sumac_documents

# A new folder has no tests until `make test` turns them on.
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
	tools/run-tests.sh $(BUILD) --parallel $$(($(JOBS) + 1)) # some tests mostly wait

bench: all
	$(BUILD)/sumac bench

install: all
	DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

# This removes what the last installation installed, which the manifest lists.
uninstall:
	DESTDIR=$(DESTDIR) cmake -DBUILD=$(BUILD) -P cmake/Uninstall.cmake

format:
	@tools/install-deps.sh --check lint
	tools/lint.sh --fix-format

lint:
	@tools/install-deps.sh --check lint
	@$(MAKE) --no-print-directory configure
	tools/lint.sh $(BUILD)

# The site is a folder of pages, $(BUILD)/site/index.html first; a server is not needed to read it.
site:
	@tools/install-deps.sh --check lint
	@rm -rf $(BUILD)/site && mkdir -p $(BUILD)/site
	@(cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $(BUILD)/site"; echo "HTML_OUTPUT = ."; \
	    echo "PROJECT_NUMBER = $$(python3 packages/metadata.py --get version)") | doxygen -
	@cat docs/site/search.css >>$(BUILD)/site/search/search.css
	@echo "$(BUILD)/site/index.html"

# All packages of the commit that is checked out, in dist/.
dist:
	@tools/install-deps.sh dist
	tools/release.sh

clean:
	rm -rf $(BUILD) build-*
