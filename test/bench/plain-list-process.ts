// The floor of the calendar list as a process of its own: the rows of the same records, stringified; nobody is asked who they are.
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Pool, types } from 'pg';

types.setTypeParser(types.builtins.DATE, (text) => text);
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const LIST = `
  select id, full_name, short_name, slug, name_local, country_id, address, city, venue_id, latitude, longitude, altitude, date,
    finish_date, year, wa_rankings_category_id, age_groups, national_id, basic_description, contact_details, organiser_id,
    website, entry_link, results_link
  from competitions where country_id = $1 and finish_date >= $2 and date <= $3 order by date, full_name, id`;

const server = createServer((request, response) => {
  const asked = new URL(request.url!, 'http://localhost').searchParams;
  void pool
    .query(LIST, [asked.get('country'), asked.get('from_date'), asked.get('to_date')])
    .then(({ rows }) => response.setHeader('content-type', 'application/json').end(JSON.stringify(rows)));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Listening at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
