// The OpenAPI document as tests use it: its operations, and the judge of an answer by the schema that is declared for it.
import { z } from 'zod';

const Keywords = z.looseObject({
  $ref: z.string(),
  type: z.union([z.string(), z.array(z.string())]),
  format: z.string(),
  pattern: z.string(),
  enum: z.array(z.unknown()),
  const: z.unknown(),
  required: z.array(z.string()),
  minimum: z.number(),
  maximum: z.number(),
  maxLength: z.number(),
  get properties() {
    return z.record(z.string(), Keywords.partial());
  },
  get items() {
    return Keywords.partial();
  },
  get anyOf() {
    return z.array(Keywords.partial());
  },
});
const SchemaObject = Keywords.partial();
export type Schema = z.output<typeof SchemaObject>;

const Media = z.record(z.string(), z.object({ schema: SchemaObject }));
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ in: z.string(), name: z.string(), schema: SchemaObject })).default([]),
  requestBody: z.object({ content: Media }).optional(),
  responses: z.record(z.string(), z.object({ content: Media.optional() })),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), SchemaObject) }),
});

export type OpenApiOperation = {
  id: string;
  method: string;
  path: string;
  parameters: { in: string; name: string; schema: Schema }[];
  body: Schema | undefined;
  /** Content types of the body. */
  types: string[];
  statuses: string[];
  /** What is wrong with the body of an answer; undefined when it is as declared. */
  fault(status: number, body: unknown): string | undefined;
};
export type OpenApiDocument = {
  source: unknown;
  schemas: Record<string, Schema>;
  operations: OpenApiOperation[];
};

export function readDocument(source: unknown): OpenApiDocument {
  const { paths, components } = Document.parse(source);
  const judge = judgeOf(components.schemas);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content ?? {};
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters,
        body: Object.values(content)[0]?.schema,
        types: Object.keys(content),
        statuses: Object.keys(operation.responses),
        fault: (status: number, body: unknown) => {
          const schema = operation.responses[status]?.content?.['application/json']?.schema;
          return schema && judge(schema, body);
        },
      };
    }),
  );
  return { source, schemas: components.schemas, operations };
}

type Defs = Record<string, z.core.JSONSchema.JSONSchema>;

const local = (schema: unknown): Defs =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/')) as Defs;

function judgeOf(schemas: Record<string, Schema>) {
  const $defs = local(schemas);
  const made = new Map<Schema, z.ZodType>();
  return (schema: Schema, body: unknown): string | undefined => {
    const known = made.get(schema) ?? z.fromJSONSchema({ ...local(schema), $defs });
    made.set(schema, known);
    const { error } = known.safeParse(body);
    return error && z.prettifyError(error);
  };
}
