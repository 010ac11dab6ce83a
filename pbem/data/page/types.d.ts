// What the scripts of the page hand to each other: for the check of types alone (tsc --checkJs), nothing of it runs.

type Point = [number, number];
type Box = [number, number, number, number];
type Row = Record<string, any>;

/** A position as docs/map.md has it (format 1). */
interface Chart extends Row {
  turn: number; round: number; phase: string; player: string; segment: string; over: Row;
  turn_order: string[];
  board: { spaces: Record<string, Row>; provinces: Record<string, Row>; paths: [string, string, string][] };
  control: { spaces: Record<string, string>; provinces: Record<string, string> };
  armies: Row[]; sieges: Row[]; fleets: Row[]; royals: Row[]; standings: Row[]; marks: Row[]; boxes: Row; cards: Row;
}

/** An entry: number, kind, undone by, seats, what it says, its sentences, its dice, the window it asks or closes. */
interface Entry {
  number: number; kind: string; undone: number; seats: string[]; says: string;
  lines: Line[]; dice: [string, number, number, boolean | null][]; window: Row;
}
/** `what` as in pbem/page/course.py; `text` is the place of the sentence among those of a language. */
interface Line { what: number; text: number; places: string[]; shown: Row[] }

interface Data {
  format: number; game: string; title: string; language: string; reader: string | null; since: number; head: string;
  entries: Entry[]; puts: Row[]; texts: string[][]; words: Record<string, Words>; layout: Row; palette: Row; totals: Row[]; engine: string;
  chosen?: boolean; hand?: string[]; way_back?: Record<string, string>;
}
/** All that is said in one language. */
interface Words extends Row { ui: Record<string, string>; place: number }

interface Window { pbem?: Row }
