import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import enStudy from "../../../src/tengen/web/static/js/study/lang-en.js";
import zhStudy from "../../../src/tengen/web/static/js/study/lang-zh.js";
import en from "../../../src/tengen/web/static/js/lang/en.js";
import zh from "../../../src/tengen/web/static/js/lang/zh.js";

const JS = fileURLToPath(new URL("../../../src/tengen/web/static/js/", import.meta.url));
const files = readdirSync(JS, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("lang"));
const source = files.map((name) => readFileSync(join(JS, name), "utf8")).join("\n");
const holes = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join();

for (const [room, english, chinese] of [["page", en, zh], ["study room", enStudy, zhStudy]]) {
  test(`both languages of the ${room} say the same things`, () => {
    assert.deepEqual(Object.keys(chinese).sort(), Object.keys(english).sort());
    for (const key of Object.keys(english)) {
      assert.ok(english[key].trim() && chinese[key].trim(), key);
      assert.equal(holes(chinese[key]), holes(english[key]), `the gaps of ${key}`);
    }
  });

  test(`the ${room} has a word for one of what it counts`, () => {
    const counted = /\{\w+\} (?:new |processor )?(?:games|moves|puzzles|positions|iterations|lines|nodes|parameters|minutes)\b/;
    const never = ["openings.book.count"];  // thousands
    assert.deepEqual(Object.keys(english).filter((key) => counted.test(english[key]) && !never.includes(key)), []);
  });
}

test("one game, two games", () => {
  Object.assign(globalThis, { localStorage: { getItem: () => null } }, globalThis.navigator ? {} : { navigator: {} });
  return import("../../../src/tengen/web/static/js/i18n.js").then(({ fill }) => {
    const text = "{n} {n|game|games} of {name}";
    assert.equal(fill(text, { n: 1, name: "Li" }), "1 game of Li");
    assert.equal(fill(text, { n: "0", name: "Li" }), "0 games of Li");
    assert.equal(fill("{n}", {}), "{n}");
  });
});

test("every text the page asks for exists", () => {
  const asked = [...source.matchAll(/\bt\(\s*"([\w.-]+)"/g)].map((match) => match[1]);
  assert.ok(asked.length > 100);
  for (const key of asked) assert.ok(key in en, key);
});

test("no text is left that nobody asks for", () => {
  const used = (key) => source.includes(`"${key}"`) || [...source.matchAll(/`([\w.-]*)\$\{[^`]*`/g)].some(([, stem]) => stem
    && key.startsWith(stem)) || /^(level|error|player|forbidden|mark|why|proof|chart|help|ago|setup|over|settings|tour)\./.test(key);
  assert.deepEqual(Object.keys(en).filter((key) => !used(key)), []);
});
