# SPDX-License-Identifier: MIT
# Debian packages; included by the Makefile at the top.

deb: ## Debian packages of the probes (for dkms) and of the tool: $(BUILD)/deb/*.deb
	packaging/build-deb $(VERSION) $(BUILD)/deb

.PHONY: deb
