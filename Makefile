# A few names over CMake; `cmake --list-presets` shows more builds.
PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc)
BUILD := build

.PHONY: all configure demo test bench install format lint clean

all: configure
	cmake --build $(BUILD) --parallel $(JOBS) --target sumac_program sumac_shared sumac_static

configure:
	@tools/install-deps.sh --check build
	@cmake -S . -B $(BUILD) $(if $(wildcard $(BUILD)/CMakeCache.txt),,$(if $(shell command -v ninja),-G Ninja)) --log-level=STATUS

demo:
	@tools/install-deps.sh build
	@$(MAKE) --no-print-directory all
	@tools/demo.sh $(BUILD)

test:
	@tools/install-deps.sh test
	@$(MAKE) --no-print-directory configure
	cmake --build $(BUILD) --parallel $(JOBS)
	ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

bench: all
	$(BUILD)/sumac bench

install: all
	DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@tools/install-deps.sh lint
	tools/lint.sh --fix-format

lint:
	@tools/install-deps.sh lint
	@$(MAKE) --no-print-directory configure
	tools/lint.sh $(BUILD)

clean:
	rm -rf $(BUILD) build-*
