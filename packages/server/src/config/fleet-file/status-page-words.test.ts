// The words of a page: both languages of the service are whole, and words of people are taken only if they are.
import { describe, expect, it } from 'vitest'
import { pageTexts, wordMistakes } from './status-page-words.ts'

const [english, german] = [pageTexts['en']!, pageTexts['de']!]
const messages = (words: Readonly<Record<string, string>>, language: string) =>
  wordMistakes(words, language).map(({ key, message }) => `${key}: ${message}`)

describe('the words of a page', () => {
  it('are whole in the languages of the service', () => {
    expect(messages(english, 'en')).toEqual([])
    expect(messages(german, 'de')).toEqual([])
  })

  it('have every word, and plurals as their language has them', () => {
    const { today: _, zone: __, ...rest } = english
    expect(messages(rest, 'fr')).toEqual(['null: lack today, zone; a page is in one language.'])
    const polish = { ...english }
    for (const key of ['days', 'daysAgo']) {
      Object.assign(polish, { [`${key}.few`]: '{count} dni', [`${key}.many`]: '{count} dni' })
    }
    expect(messages(polish, 'pl')).toEqual([])
    // Japanese has one form.
    const { 'days.one': ___, 'daysAgo.one': ____, ...japanese } = english
    expect(messages(japanese, 'ja')).toEqual([])
  })

  it.each([
    [{ todai: 'x' }, 'todai: is not a word of a page; `pulseward status words` prints all.'],
    [{ today: '  ' }, 'today: is empty.'],
    [{ uptime: '99 %' }, 'uptime: lacks {percent}, in whose place a value is put.'],
    [{ today: '{date}' }, 'today: has {date}, for which there is no value.'],
    [{ 'days.few': 'some days' }, 'days.few: lacks {count}, in whose place a value is put.'],
  ])('name a mistake: %j', (change, sentence) => {
    expect(messages({ ...english, ...change }, 'en')).toEqual([sentence])
  })
})
