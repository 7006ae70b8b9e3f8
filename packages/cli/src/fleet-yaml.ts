// fleet-yaml.ts: how the commands write fleet files.
import { CORE_SCHEMA, dump, mergeTag } from 'js-yaml'

/** What would be read as something else than text is quoted for the schema that fleet files are read with. */
const style = { schema: CORE_SCHEMA.withTags(mergeTag), noRefs: true, lineWidth: -1 }

export function fleetYaml(value: object): string {
  return dump(value, style)
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
