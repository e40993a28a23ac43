import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import en from "../../../src/tengen/web/static/js/lang/en.js";
import zh from "../../../src/tengen/web/static/js/lang/zh.js";

const JS = fileURLToPath(new URL("../../../src/tengen/web/static/js/", import.meta.url));
const files = readdirSync(JS, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("lang"));
const source = files.map((name) => readFileSync(join(JS, name), "utf8")).join("\n");
const holes = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join();

test("both languages say the same things", () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  for (const key of Object.keys(en)) {
    assert.ok(en[key].trim() && zh[key].trim(), key);
    assert.equal(holes(zh[key]), holes(en[key]), `the gaps of ${key}`);
  }
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
