// platform/linear-regex/linear-regex.ts: tests whether an expression matches anywhere in a text, in time linear in the
// text whatever the expression: a deterministic automaton is built lazily while it runs, in bounded memory. A search is
// done in slices, so that even the worst expression never blocks its caller for long.
import { compileProgram, NEIGHBOUR, type Program } from './program.ts'
import { type Assertion, parseRegex } from './syntax.ts'

const UNKNOWN = -1
const MATCHED = -2

// The most numbers that the table of a regex may hold; beyond that it is discarded and rebuilt.
const MAX_TABLE_SIZE = 65_536

/** The steps of one slice: about two milliseconds. */
const SLICE_STEPS = 100_000

/** A set of places in the program before assertions are tested, and the kind of the preceding character. */
interface State {
  readonly places: Int32Array
  readonly before: number
  readonly next: Int32Array
}

/** The progress of a search. */
export interface Search {
  readonly text: string
  at: number
  /** null until the text has been searched to its end. */
  found: boolean | null
  /** The state reached so far: its table may be discarded between two slices. */
  places: Int32Array
  before: number
}

export class LinearRegex {
  readonly #program: Program
  readonly #ids = new Map<string, number>()
  readonly #states: State[] = []
  readonly #visited: Float64Array
  readonly #stack: number[] = []
  #visit = 0
  #tableSize = 0
  #timesForgotten = 0

  /** Throws RegexError. */
  constructor(source: string) {
    this.#program = compileProgram(parseRegex(source))
    this.#visited = new Float64Array(this.#program.instructions.length)
  }

  begin(text: string): Search {
    return { text, at: 0, found: null, places: Int32Array.of(0), before: NEIGHBOUR.none }
  }

  /** Runs one slice of a search; returns how many steps it took. */
  goOn(search: Search, mostSteps = SLICE_STEPS): number {
    const { asciiClasses, instructions } = this.#program
    const { text } = search
    let state = this.#intern(search.places, search.before)
    let steps = 0
    let at = search.at
    while (at < text.length) {
      if (steps >= mostSteps) {
        const { places, before } = this.#states[state]!
        Object.assign(search, { at, places, before })
        return steps
      }
      const unit = text.charCodeAt(at)
      const codePoint = unit < 0xd800 || unit > 0xdbff ? unit : text.codePointAt(at)!
      const symbol = codePoint < 128 ? asciiClasses[codePoint]! : this.#program.classOf(codePoint)
      let next = this.#states[state]!.next[symbol]!
      if (next === UNKNOWN) {
        next = this.#step(state, symbol)
        steps += instructions.length
      }
      if (next === MATCHED) {
        search.found = true
        return steps
      }
      state = next
      steps++
      at += codePoint > 0xffff ? 2 : 1
    }
    search.found = this.#close(this.#states[state]!, NEIGHBOUR.none) === null
    return steps + instructions.length
  }

  #step(from: number, symbol: number): number {
    const state = this.#states[from]!
    const kind = this.#program.classKinds[symbol]!
    const reached = this.#close(state, kind)
    if (reached === null) {
      state.next[symbol] = MATCHED
      return MATCHED
    }
    // A match may begin at every position, so the first place is in every state.
    const places = [0]
    for (const place of reached) {
      const instruction = this.#program.instructions[place]!
      if (instruction.op === 'set' && instruction.classes[symbol] === 1) places.push(place + 1)
    }
    const timesForgotten = this.#timesForgotten
    const next = this.#intern(Int32Array.from(places).sort(), kind)
    // If `intern` discarded the table, this state is no longer in it and must not be linked.
    if (this.#timesForgotten === timesForgotten) state.next[symbol] = next
    return next
  }

  /** The consuming places reachable without reading a character; null if the end is among them. */
  #close(state: State, after: number): number[] | null {
    const { instructions } = this.#program
    const visit = ++this.#visit
    const reached: number[] = []
    const stack = this.#stack
    stack.length = 0
    for (const place of state.places) stack.push(place)
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      if (this.#visited[place] === visit) continue
      this.#visited[place] = visit
      const instruction = instructions[place]!
      if (instruction.op === 'match') return null
      if (instruction.op === 'set') reached.push(place)
      else if (instruction.op === 'jump') stack.push(instruction.to)
      else if (instruction.op === 'split') stack.push(instruction.first, instruction.second)
      else if (holds(instruction.assertion, state.before, after)) stack.push(place + 1)
    }
    return reached
  }

  #intern(places: Int32Array, before: number): number {
    const key = `${before}:${places}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    if (this.#tableSize > MAX_TABLE_SIZE) {
      this.#states.length = 0
      this.#ids.clear()
      this.#tableSize = 0
      this.#timesForgotten++
    }
    // A place is stored twice: in the state and in its key.
    this.#tableSize += this.#program.classCount + places.length * 2
    const next = new Int32Array(this.#program.classCount).fill(UNKNOWN)
    const id = this.#states.push({ places, before, next }) - 1
    this.#ids.set(key, id)
    return id
  }
}

function holds(assertion: Assertion, before: number, after: number): boolean {
  switch (assertion) {
    case 'text-start':
      return before === NEIGHBOUR.none
    case 'text-end':
      return after === NEIGHBOUR.none
    case 'line-start':
      return before === NEIGHBOUR.none || before === NEIGHBOUR.lineEnd
    case 'line-end':
      return after === NEIGHBOUR.none || after === NEIGHBOUR.lineEnd
    case 'word-edge':
      return (before === NEIGHBOUR.word) !== (after === NEIGHBOUR.word)
    case 'no-word-edge':
      return (before === NEIGHBOUR.word) === (after === NEIGHBOUR.word)
  }
}
