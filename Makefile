# Quad Length Codes. `make` lists the targets; everything else is set up on first use.

# Options are set on make's command line alone; what the environment has of these names does not count.
SIM    = verilator
TENSOR = *
DATA   =
SCHEME =
SEED   = 1
WAVES  =
CORES  =
WORD_BITS = 64
TARGET = *
LIB    =
FPGA   =
SEEDS  = 3
PYTHON =
EXTENT =

# Modules of this checkout come from it, whatever is installed.
export PYTHONPATH := $(CURDIR):$(CURDIR)/model:$(CURDIR)/tb
# Would change what Python and pytest do.
unexport PYTHONHOME PYTHONOPTIMIZE PYTHONINSPECT PYTHONSAFEPATH PYTHONWARNINGS
unexport PYTEST_ADDOPTS PYTEST_PLUGINS

OURS  := .venv/bin/python
SETUP := PYTHON='$(PYTHON)' scripts/setup.sh
# A switch is off when empty or 0.
on     = $(filter-out 0,$(1))
# A target's own command line is short; the scripts behind it have --help.
BOTH   := verilator icarus

.PHONY: help sim bench figures test test-model test-benches regression sweep lut study demo-warmup registers docs synth waves lint setup clean

help:
	@echo "make sim     send real tensors through the Verilog encoder and decoder, and print figures"
	@echo "             SIM=verilator|icarus TENSOR='glob' SCHEME='auto table1 ...' (codes: python -m scripts.sim --help)"
	@echo "             DATA=your.safetensors (instead of data/)"
	@echo "             SEED=n WAVES=1 CORES=1 (the bare cores instead of the tops)"
	@echo "             WORD_BITS=n (decoder's word, 8 to 512; 0: a symbol a cycle)"
	@echo "make test    run all tests: make lint, then"
	@echo "             make test-model (golden model and scripts), and"
	@echo "             make test-benches (the RTL on both simulators; SEED=n)"
	@echo "make regression   run the tests with many more builds (SEED=n)"
	@echo "make sweep   run the tests with every configuration of every bench, hours (SEED=n)"
	@echo "make demo-warmup  make tables from the hardware's own statistics, and again when the data drift"
	@echo "make lut     write the tables of every layer in data/ to build/luts/, for \$$readmemh (SCHEME=a code)"
	@echo "make study   measure what every code saves on the tensors in data/, and write docs/study.md"
	@echo "make bench   measure rate and latency of the decoder at every word width, and of the bare decoders"
	@echo "             of every build (SCHEME=a code, see python -m scripts.bench --help)"
	@echo "make synth   synthesise every build and count transistors; TARGET='glob glob'"
	@echo "             LIB='typical.lib.xz slow.lib.xz' (liberty files): area and clock"
	@echo "             FPGA=ecp5 SEEDS=n: cells and clock, placed and routed; FPGA=xilinx: cells"
	@echo "make figures write docs/figures.md, README's table and areas in docs/study.md from what synth and"
	@echo "             bench measured"
	@echo "make registers    make the C header and HTML reference of the registers from rtl/qlc_regs.rdl, and"
	@echo "             the waveforms and the lists of modules and benches of the documents"
	@echo "make docs    build the documents as one site with search, in build/site/"
	@echo "make waves   play one short tensor and dump waveforms (SIM=..., TENSOR=...)"
	@echo "make lint    check RTL and Python"
	@echo "make setup   install what the other targets need; PYTHON=python3.11 makes .venv with that Python"
	@echo "make clean   remove build/ (remove .venv/ by hand)"

sim:
	@$(SETUP) $(SIM)
	@$(OURS) -m scripts.sim --sim $(SIM) $(if $(DATA),--data '$(DATA)') --tensor '$(TENSOR)' $(if $(SCHEME),--scheme $(SCHEME)) --seed $(SEED) --word-bits $(WORD_BITS) $(if $(call on,$(WAVES)),--waves) $(if $(call on,$(CORES)),--cores)

bench:
	@$(SETUP) $(SIM)
	@$(OURS) -m scripts.bench --sim $(SIM) $(if $(SCHEME),--scheme '$(SCHEME)')

figures:
	@$(SETUP)
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-plots.txt
	@$(OURS) -m scripts.figures
	@$(OURS) -m scripts.study --render

# CI runs these three side by side.
test: lint test-benches test-model

test-model: setup
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-fusesoc.txt
	@$(OURS) -m pytest -q -n auto --dist worksteal --junitxml build/test/model.xml model scripts

test-benches: setup
	@$(OURS) -m pytest -q -n auto --dist worksteal $(EXTENT) --seed $(SEED) --junitxml build/test/benches.xml tb

regression: EXTENT := --long
regression: test

sweep: EXTENT := --sweep
sweep: test

lut:
	@$(SETUP)
	@$(OURS) -m scripts.luts $(if $(SCHEME),--scheme '$(SCHEME)')

waves: TENSOR := $(if $(filter *,$(TENSOR)),layers.12.ffn_up.act.scale,$(TENSOR))
waves: WAVES := 1
waves: sim

study:
	@$(SETUP)
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-study.txt
	@.venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r requirements-study-peer.txt
	@$(OURS) -m scripts.study

demo-warmup:
	@$(SETUP) $(SIM)
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-plots.txt
	@$(OURS) -m scripts.warmup --sim $(SIM)

registers:
	@$(SETUP)
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@$(OURS) -m scripts.registers
	@$(OURS) -m scripts.waves
	@$(OURS) -m scripts.modules

docs:
	@$(SETUP)
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	@NO_MKDOCS_2_WARNING=1 $(OURS) -m mkdocs build --strict
	@echo build/site/index.html

synth:
	@$(SETUP) $(if $(LIB),synth)
	@.venv/bin/pip install --quiet --disable-pip-version-check -r requirements-synth.txt
	@$(OURS) -m scripts.synth --target '$(TARGET)' $(if $(FPGA),--fpga $(FPGA) --seeds $(SEEDS)) --lib $(LIB)

lint: setup
	@$(OURS) -m scripts.lint $(if $(EXTENT),--long)

setup:
	@$(SETUP) $(BOTH)

clean:
	rm -rf build
