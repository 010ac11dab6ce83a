// What the scripts of the page are held to besides their types. They share their names inside one function: what a file does not
// know, tsc does; and text enters the page as text, so nothing here may make markup or code of it.

import js from "../.node/node_modules/@eslint/js/src/index.js";

const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc", "createContextualFragment"];

export default [{
  ...js.configs.recommended,
  files: ["**/*.js"],
  languageOptions: { ecmaVersion: 2022, sourceType: "script" },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    ...js.configs.recommended.rules,
    "no-undef": "off",
    "no-unused-vars": ["error", { vars: "local" }],
    "no-eval": "error", "no-implied-eval": "error", "no-new-func": "error", "no-script-url": "error",
    "no-restricted-properties": ["error", { object: "document", property: "write" }, ...MARKUP.map(property => ({ property }))],
    eqeqeq: "error", "no-var": "error", "prefer-const": ["error", { destructuring: "all" }],
    "no-shadow": "error", "consistent-return": "error", "array-callback-return": "error", "no-promise-executor-return": "off",
  },
}];
