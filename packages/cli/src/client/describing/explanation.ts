// client/describing/explanation.ts: an explanation for people: the answer first, then the rules in their order, then what
// comes next.
import type { v2 } from '@pulseward/client'
import { ruleWords } from '@pulseward/contract/v2/explanation-words'
import { type Block, facts, note, type Phrase } from '../table/block.ts'

export function explanationBlocks({ summary, rules, next }: v2.DecisionExplanation): Block[] {
  return [
    note(withMoments(summary)),
    facts(rules.map(ruleFact)),
    ...(next.length === 0
      ? []
      : [facts(next.map(comingFact), 'What comes next, unless something else happens before')]),
  ]
}

function ruleFact(one: v2.ExplainedRule): readonly [string, Phrase] {
  const { rule, verdict } = ruleWords(one)
  return [rule, withMoments(`${verdict}: ${one.text}`)]
}

function comingFact({ at, text }: v2.ComingChange): readonly [string, Phrase] {
  return at === undefined
    ? ['Then', withMoments(text)]
    : ['At', [{ instant: at }, ': ', ...withMoments(text)]]
}

const moment = /(?<=\s)(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)(?![\w-])/

/** The times in a sentence of the service, as people read them: short. */
function withMoments(sentence: string): Phrase {
  return sentence.split(moment).map((part, index) => (index % 2 === 1 ? { instant: part } : part))
}
