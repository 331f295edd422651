# The front door. `make help` lists the targets.

PYTHON ?= python3
GATES = $(PYTHON) .ci/gates.py
FILE ?=
RATE ?=
NAME ?=
FAMILY ?=
ISOLATE ?=
QUICK ?=
SECONDS ?= 20
export SECONDS
WHEEL ?= $(lastword $(sort $(wildcard build/wheels/passband-*.whl)))
OUT ?= build/gpu-check

.PHONY: help demo test gates bench peers arena-peers soak gpu-wheel gpu-check fuzz firmware docs ownership-tables new-kernel clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## receive a synthesised recording, or a real one: make demo FILE=a.cu8 RATE=250k
	@$(if $(FILE),test -e '$(FILE)' || { echo "make demo: FILE=$(FILE): no such file" >&2; exit 2; })
	@$(GATES) build
	.venv/bin/python -m passband.demo $(if $(FILE),'$(FILE)') $(if $(RATE),--rate '$(RATE)') \
	    $(if $(filter no,$(ISOLATE)),--no-isolate)

test: ## build into .venv and run the Rust and the Python tests at every SIMD level
	@$(GATES) build rust python

gates: ## everything that must be green: tests, lints, firmware, fuzz, benches, docs
	@$(GATES)

bench: ## time every kernel at every SIMD level, beside the limit that binds
	cargo bench --package passband-benches

peers: ## time passband beside other Python packages
	@$(GATES) build
	.venv/bin/python -m pip install --quiet --requirement benches/peers/requirements.txt
	.venv/bin/python benches/peers/compare.py

arena-peers: ## time the arena beside other ways to another process; QUICK=1 only tries it
	@$(GATES) build
	.venv/bin/python -m pip install --quiet --requirement benches/peers/requirements.txt
	.venv/bin/python benches/peers/arena --csv build/arena-peers $(if $(QUICK),--quick)

soak: ## the arena's tests with all of their kills and corrupt peers, and its models with more orders
	@PASSBAND_KILLS=450 PASSBAND_SEEDS=1000 PASSBAND_KILLS_PYTHON=50 LOOM_MAX_PREEMPTIONS=4 $(GATES) build arena arena_python loom

gpu-wheel: ## build the wheel that `make gpu-check` takes to a machine with a GPU
	@$(GATES) build
	.venv/bin/maturin build --profile=wheel --manifest-path pybind/Cargo.toml --out build/wheels

gpu-check: ## check and time pinned memory on a GPU, from a wheel: make gpu-check OUT=folder WHEEL=a.whl
	@$(PYTHON) .ci/gpu_check.py --out '$(OUT)' $(if $(WHEEL),--wheel '$(WHEEL)')

fuzz: ## fuzz each target: make fuzz SECONDS=20
	@$(GATES) fuzz

firmware: ## build, link-check and run the firmware image on QEMU
	@$(GATES) firmware

docs: ## build the book into target/site
	@$(GATES) build docs

ownership-tables: ## measure what results and out= cost, for the page of the book
	@$(GATES) build
	.venv/bin/python benches/peers/ownership.py

new-kernel: ## write the skeleton of a kernel: make new-kernel NAME=FmDemod FAMILY=demod
	@$(PYTHON) .ci/new_kernel.py --name '$(NAME)' --family '$(FAMILY)'

clean: ## remove what the targets made
	cargo clean
	rm -rf .venv build fuzz/target kernels/firmware/target docs/generated docs/pages/accuracy.md docs/pages/kernels.md
