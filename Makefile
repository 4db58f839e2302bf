# make run     set up what the dashboard needs, and open it (PORT=8600 for another port)
# make test    set up everything, a browser included, and run all tests
# make bench   time the core against its peers
# make clean   remove what the other commands made
#
# Plain POSIX make and sh, so that the GNU make 3.81 of macOS and BSD make read it too.

VENV = .venv
BIN = $(VENV)/bin

run: $(VENV)/run-ready
	@port="$(PORT)"; exec $(BIN)/python -m streamlit run app.py $${port:+--server.port "$$port"}

# What measures time or drives a browser comes second, with the machine to itself, even if the first part fails.
test: $(VENV)/test-ready
	@$(BIN)/python -m tests.browser.get_browser
	@status=0; \
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not browser and not timing" || status=1; \
	$(BIN)/python -m pytest -q -m "browser or timing" || \
	    { echo "A busy machine may stall a browser: what failed is tried once more, alone."; \
	      $(BIN)/python -m pytest -q --last-failed -m "browser or timing"; } || status=1; \
	exit $$status

bench: $(VENV)/test-ready
	@$(BIN)/python -m tests.benchmarks

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/run-ready: $(BIN)/python requirements.txt
	@echo "Setting up the dashboard in $(VENV): a minute or so, once."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/test-ready: $(VENV)/run-ready tests/requirements.txt
	@echo "Setting up the tests in $(VENV): once."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	@touch $@

# Debian splits venv from python3, so a machine may have the one without the other.
$(BIN)/python:
	@found=; \
	for python in $(PYTHON) python3.11 python3; do \
	    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	    echo "Measure Lab needs Python 3.11 or newer, and found: $$(python3 --version 2>&1)." >&2; \
	    echo "Install it (Debian 12: apt-get install python3 python3-venv; macOS: brew install python@3.11)" >&2; \
	    echo "or name one: make PYTHON=/usr/local/bin/python3.12" >&2; \
	    exit 1; \
	fi; \
	if ! $$found -c 'import ensurepip, venv' 2>/dev/null; then \
	    package=python$$($$found -c 'import sys; print("%d.%d" % sys.version_info[:2])')-venv; \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	        echo "Installing $$package, which $$found needs to make a virtual environment."; \
	        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$package; \
	    else \
	        echo "$$found cannot make a virtual environment here. Run: sudo apt-get install $$package" >&2; \
	        exit 1; \
	    fi; \
	fi; \
	echo "Making a virtual environment in $(VENV) with $$found."; \
	$$found -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

.PHONY: run test bench clean
