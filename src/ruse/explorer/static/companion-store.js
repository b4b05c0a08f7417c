// Evenings kept in this browser. Nothing here throws: whoever saves is told how that went, and goes on either way.
//
// Two tabs may have one evening open. Each save names the revision that it was made from; if the stored one is another,
// nothing is written, and both stay as they are until somebody says which to keep. Steps to undo are kept packed.
import { fromJson, toJson } from "./companion-evening.js";

const PREFIX = "ruse-evening:";

export const keyOf = (id) => PREFIX + id;
export const fresh = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

const OFFICIAL = {}; // what is kept here names its table

function raw(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return found && found.revision ? found : null;
  } catch {
    return null; // storage is switched off, or what is there is not ours
  }
}

/** An evening out of what `packed` made. */
export const unpacked = (kept) => fromJson(kept, OFFICIAL);
export const packed = (evening) => toJson(evening);

function stored(key) {
  try {
    const found = raw(key);
    return found && { ...found, evening: unpacked(found.evening), undo: [...found.undo] };
  } catch {
    return null;
  }
}

export const revisionOf = (id) => raw(keyOf(id))?.revision ?? null;
export const load = (id) => stored(keyOf(id));

/** Every evening that is kept here, the latest first. */
export function list() {
  let keys = [];
  try { keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)); } catch { /* storage is switched off */ }
  return keys.map(stored).filter(Boolean).sort((one, two) => (one.saved < two.saved ? 1 : -1));
}

/** Save an entry {id, revision, evening, undo}. Answers {state, entry}: kept, again, changed, full or off. */
export function save(entry) {
  const revision = revisionOf(entry.id);
  const before = revision !== null && revision !== entry.revision ? load(entry.id) : null;
  if (before) return { state: "changed", entry, theirs: before };
  const next = { ...entry, revision: fresh(), saved: new Date().toISOString() };
  const cleared = entry.revision !== null && revision === null;
  try {
    localStorage.setItem(keyOf(entry.id), JSON.stringify({ ...next, evening: packed(next.evening) }));
  } catch (error) {
    return { state: error?.name === "QuotaExceededError" ? "full" : "off", entry };
  }
  return { state: cleared ? "again" : "kept", entry: next };
}

export function remove(id) {
  try { localStorage.removeItem(keyOf(id)); return true; } catch { return false; }
}
