// What the scripts of the page are held to besides their types. They share their names inside one function: what a file does not
// know, tsc does; and text enters the page as text, so nothing here may make markup or code of it.

import js from "../.node/node_modules/@eslint/js/src/index.js";

const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "srcdoc", "createContextualFragment"];

// What no policy shuts: another address for the window itself, and a line from browser to browser.
const OUT = ["RTCPeerConnection", "WebTransport"], LEAVES = "Only a link that the reader follows leads out of the page.";

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
    "no-restricted-properties": ["error", { object: "document", property: "write" }, { object: "window", property: "open" },
      { object: "location", property: "assign" }, { object: "location", property: "replace" }, ...MARKUP.map(property => ({ property }))],
    "no-restricted-globals": ["error", "open", ...OUT],
    "no-restricted-syntax": ["error", { selector: "AssignmentExpression[left.name='location']", message: LEAVES },
      { selector: "AssignmentExpression[left.object.name=/^(location|window|document)$/][left.property.name=/^(href|location)$/]", message: LEAVES }],
    eqeqeq: "error", "no-var": "error", "prefer-const": ["error", { destructuring: "all" }],
    "no-shadow": "error", "consistent-return": "error", "array-callback-return": "error", "no-promise-executor-return": "off",
  },
}];
