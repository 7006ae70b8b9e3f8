// commands/sign-in.ts: prints a one-time link to the page, alone on stdout, so that a browser can be opened with it.
import { signInUrl } from '@pulseward/contract'
import { clientCommand } from '../client/client-command.ts'
import { noOperands } from '../client/flag-values.ts'
import { exactTime } from '../client/table/local-time.ts'

export const signIn = clientCommand({
  summary: 'print a link that signs a browser in, once',
  usage: '[flags]',
  flags: {},
  operations: ['CreateSignInLink'],
  examples: [
    'pulseward sign-in',
    'pulseward sign-in --server https://pulseward.example --token-file ann.token',
  ],
  async run(parsed, session) {
    noOperands(parsed)
    const { data } = await session.client.createSignInLink({ signal: session.signal })
    session.print(signInUrl(session.answeredBy, data.secret))
    // A program that opens the browser needs nothing else.
    if (!session.terminal.stdout.isTerminal) return 0
    const until = exactTime(data.expiresAt, session.terminal.timeZone)
    session.say(`Open the link in a browser: it signs in whoever opens it first, once, until ${until}.`)
    return 0
  },
})
