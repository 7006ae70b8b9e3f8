// scripts/generate/settings-doc.ts: every runtime setting as a page, from the setting table of the service.
import { type Setting, type SettingKey, settingKeys, settingTable } from '@pulseward/server'
import { code, madeFrom, table } from './markdown.ts'
import { asWritten, type Shape, typeInWords } from './schema-reference.ts'

export async function settingsDoc(): Promise<Map<string, string>> {
  return new Map([['docs/generated/settings.md', page()]])
}

function page(): string {
  return `${madeFrom('packages/server/src/config/settings/setting-table.ts')}
# Settings

How the service runs. What it watches stands in [fleet files](fleet-file.md).

A flag beats an environment variable, which beats the runtime file, which beats the default. The runtime file is
named by \`--settings FILE\` or \`PULSEWARD_SETTINGS\`; a dot in a key is a nesting there. Its JSON Schema is
[schemas/settings.schema.json](../../schemas/settings.schema.json). \`pulseward settings\` shows every value in force
and where it comes from.

Lists are repeated flags, or one variable with commas. Switches read \`1\`, \`true\`, \`yes\`, \`on\` and their
opposites. A value that is not understood stops the start with exit code 2.

The access token itself is not a setting: it is the content of \`token_file\`, or the variable \`PULSEWARD_TOKEN\`.

${settingTableOf(settingKeys)}
`
}

function settingTableOf(keys: readonly SettingKey[]): string {
  return table(
    ['Setting', 'Flag', 'Variable', 'Type', 'Default', 'What it does'],
    keys.map((key) => {
      const { schema, summary, fallback, env, flag } = settingOf(key)
      return [
        code(key),
        flag === undefined ? '' : code(`--${flag}`),
        code(env),
        typeInWords(schema as Shape),
        isNothing(fallback) ? '' : code(asWritten(fallback)),
        summary,
      ]
    }),
  )
}

function settingOf(key: SettingKey): Setting {
  return settingTable[key]
}

function isNothing(fallback: unknown): boolean {
  return fallback === null || (Array.isArray(fallback) && fallback.length === 0)
}
