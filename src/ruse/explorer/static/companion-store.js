// Evenings kept in this browser. Nothing here throws: whoever saves is told how that went, and goes on either way.
//
// Two tabs may have one evening open. Each save names the revision that it was made from; if the stored one is another,
// nothing is written, and both stay as they are until somebody says which to keep.
import { fromJson } from "./companion-record.js";

const PREFIX = "ruse-evening:";

export const keyOf = (id) => PREFIX + id;
export const fresh = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

function stored(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return found && found.revision ? { ...found, evening: fromJson(found.evening), undo: [...found.undo] } : null;
  } catch {
    return null; // storage is switched off, or what is there is not ours
  }
}

export const load = (id) => stored(keyOf(id));

/** Every evening that is kept here, the latest first. */
export function list() {
  let keys = [];
  try { keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)); } catch { /* storage is switched off */ }
  return keys.map(stored).filter(Boolean).sort((one, two) => (one.saved < two.saved ? 1 : -1));
}

/** Save an entry {id, revision, evening, undo}. Answers {state, entry}: kept, again, changed, full or off. */
export function save(entry) {
  const before = load(entry.id);
  if (before && before.revision !== entry.revision) return { state: "changed", entry, theirs: before };
  const next = { ...entry, revision: fresh(), saved: new Date().toISOString() };
  const cleared = entry.revision !== null && !before;
  try {
    localStorage.setItem(keyOf(entry.id), JSON.stringify(next));
  } catch (error) {
    return { state: error?.name === "QuotaExceededError" ? "full" : "off", entry };
  }
  return { state: cleared ? "again" : "kept", entry: next };
}

export function remove(id) {
  try { localStorage.removeItem(keyOf(id)); return true; } catch { return false; }
}
