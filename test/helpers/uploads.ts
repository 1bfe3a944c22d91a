// A competition to upload into, with its API and data-site addresses at hand.
import { expect } from 'vitest';
import { competition } from './factories.ts';
import type { Answer, Client } from './app.ts';

export type Uploads = {
  path: string;
  /** /x/<year>/<country>/<slug> */
  page: string;
  id: string;
  upload: (body: unknown) => Promise<Answer>;
  /** Uploads, and expects that to succeed. */
  store: (body: unknown) => Promise<void>;
  /** The public document. */
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with what is expected, never trusted
  document: () => Promise<any>;
  // oxlint-disable-next-line typescript/no-explicit-any -- compared with what is expected, never trusted
  unit: (eventId: string, round?: number, heat?: number) => Promise<any>;
};

export async function uploadsInto(
  client: Client,
  { push, ...fields }: Record<string, unknown> & { push?: boolean } = {},
): Promise<Uploads> {
  const { status, body } = await client.post('/api/v1/competitions/', competition(fields));
  expect(status).toBe(201);
  const path = `/api/v1/competitions/${body.id}`;
  const page = `/x/${body.year}/${body.country_id}/${body.slug}`;
  if (push) await client.patch(`${path}/settings`, { push_notifications: true });
  const upload = (sent: unknown) => client.post(path, sent);
  return {
    path,
    page,
    id: body.id,
    upload,
    store: async (sent) => {
      const answer = await upload(sent);
      expect(answer).toMatchObject({ status: 200 });
    },
    document: async () => (await client.get(`${page}/json/`)).body,
    unit: async (eventId, round = 1, heat = 1) =>
      (await client.get(`${page}/event/${encodeURIComponent(eventId)}/${round}/${heat}/json/`)).body,
  };
}
