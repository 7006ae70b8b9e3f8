// client/schema-node.ts: the part of JSON Schema that the schemas of the contract and of drivers use.
export interface SchemaNode {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly items?: SchemaNode
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly SchemaNode[]
  readonly writeOnly?: boolean
  readonly secret?: boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly maxLength?: number
}
