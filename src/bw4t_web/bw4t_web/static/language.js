// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
// The page in another language: every text that is shown is looked up in a file.

const ATTRIBUTES = ["title", "aria-label", "placeholder"];

/** Load a language: { lang, texts: { English: other } }; {} in an English text is what changes. */
export async function useLanguage(url) {
  const { lang, texts } = await (await fetch(url)).json();
  const exact = new Map(Object.entries(texts).filter(([english]) => !english.includes("{}")));
  const patterns = Object.entries(texts)
    .filter(([english]) => english.includes("{}"))
    .map(([english, form]) => [
      new RegExp(`^${english.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+)")}$`),
      form,
    ]);
  const done = new WeakMap(); // by node, what was put there

  function inOther(english) {
    const [, before, lines, after] = english.match(/^(\s*)([\s\S]*?)(\s*)$/);
    const core = lines.replace(/\s+/g, " ");
    let found = exact.get(core);
    for (const [pattern, form] of found === undefined ? patterns : []) {
      const match = core.match(pattern);
      if (match) {
        let number = 0;
        found = form.replace(/{}/g, () => exact.get(match[(number += 1)]) ?? match[number]);
        break;
      }
    }
    return found === undefined ? null : before + found + after;
  }

  function text(node) {
    if (done.get(node) === node.data || node.parentElement?.closest('[translate="no"]')) return;
    const translated = inOther(node.data);
    if (translated === null) return;
    done.set(node, translated);
    node.data = translated;
  }

  function attributes(element) {
    for (const name of ATTRIBUTES) {
      const translated = element.hasAttribute(name) ? inOther(element.getAttribute(name)) : null;
      if (translated !== null && translated !== element.getAttribute(name)) element.setAttribute(name, translated);
    }
  }

  function all(root) {
    if (root.nodeType === Node.TEXT_NODE) text(root);
    if (root.nodeType !== Node.ELEMENT_NODE) return;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = root; node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) text(node);
      else attributes(node);
    }
  }

  document.documentElement.lang = lang;
  all(document.body);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === "attributes") attributes(target);
      else if (type === "characterData") text(target);
      else for (const node of addedNodes) all(node);
    }
  }).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ATTRIBUTES,
  });
}
