// schema-type.ts: the TypeScript type of values that fit a JSON Schema constant. Understands type,
// properties, required, items, enum and const; for anything else the type is unknown, never a wrong one.

export type Schema = boolean | { readonly [keyword: string]: unknown }

type Mutable<Value> = Value extends readonly unknown[] ? Value[number] : never

type Named<Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : never

type Required<From> = From extends { readonly required: infer Names } ? Mutable<Names> : never

type Properties<Of, Needed> = {
  readonly [Name in keyof Of as Name extends Needed ? Name : never]: FromSchema<Of[Name]>
} & {
  readonly [Name in keyof Of as Name extends Needed ? never : Name]?: FromSchema<Of[Name]>
}

type ObjectFrom<From> = From extends { readonly properties: infer Of }
  ? Flat<Properties<Of, Required<From>>>
  : { readonly [name: string]: unknown }

type Flat<Type> = { [Name in keyof Type]: Type[Name] }

type ArrayFrom<From> = From extends { readonly items: infer Items }
  ? readonly FromSchema<Items>[]
  : readonly unknown[]

type OfType<Type, From> = Type extends 'object'
  ? ObjectFrom<From>
  : Type extends 'array'
    ? ArrayFrom<From>
    : Named<Type>

/** The type of values that fit the schema. */
export type FromSchema<From> = From extends { readonly const: infer Value }
  ? Value
  : From extends { readonly enum: infer Values }
    ? Mutable<Values>
    : From extends { readonly type: infer Type }
      ? OfType<Type extends readonly unknown[] ? Type[number] : Type, From>
      : unknown
