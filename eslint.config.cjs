// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The linter of the pages' JavaScript; see CONTRIBUTING.md. CommonJS, so that NODE_PATH counts.

const js = require("@eslint/js");
const globals = require("globals");

module.exports = [
  { ignores: ["**/build/**"] },
  js.configs.recommended,
  {
    files: ["src/**/*.js"],
    languageOptions: { sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-shadow": "error",
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-unused-vars": ["error", { varsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
