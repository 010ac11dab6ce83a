// Fields and buttons of the desk, each known by its name; what a button or a heading says is looked up by that name, too.

class Parts {
  constructor() {
    /** @type {Record<string, any>} */
    this.made = {};
  }

  /** @param {string} name @param {string} kind @param {Row} facts @param {(Element | string)[]} inside */
  one(name, kind, facts = {}, ...inside) {
    const element = this.made[name] = document.createElement(kind);
    for (const [key, value] of Object.entries(facts)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  }

  /** @param {string} name @param {() => void} does */
  button(name, does) {
    const element = this.one(name, "button", { type: "button", "data-desk": name });
    element.addEventListener("click", does);
    return element;
  }

  /** @param {string} name @param {Element} field */
  labelled(name, field) {
    const label = document.createElement("label");
    label.append(this.one(`${name}_label`, "span", { "data-desk": name }), " ", field);
    return label;
  }

  /** @param {(Element | string)[]} inside */
  row(...inside) {
    const element = document.createElement("p");
    element.className = "buttons";
    element.append(...inside);
    return element;
  }
}
