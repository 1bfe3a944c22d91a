import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../helpers/app.ts';
import { competition } from '../helpers/factories.ts';
import { outboxReader } from '../helpers/outbox.ts';
import { uploadsInto } from '../helpers/uploads.ts';

const api = await startTestApp();
const admin = await api.as('ADMIN_GBR');
afterAll(api.close);

const SECRET = '1999-07-31';
const YEAR = 1999;
const ALIASES = {
  date_of_birth: SECRET,
  dateOfBirth: SECRET,
  dob: SECRET,
  birth_date: SECRET,
  year_of_birth: YEAR,
  yearOfBirth: YEAR,
  yob: YEAR,
  birth_year: YEAR,
  birthYear: YEAR,
};
const { date_of_birth: _date, year_of_birth: _year, ...UNKNOWN_ALIASES } = ALIASES;

const PUBLIC_FIELDS = {
  competitor_id: '1',
  first_name: 'Ana',
  last_name: 'Bo',
  gender: 'F',
  age_group: 'SEN',
  category: 'SW',
  team_id: 'T',
  team_name: 'Town',
  events_entered: [{ event_id: 'E', event_code: 'LJ', qp: '6.00', pb: null }],
  nationality: 'ESP',
  ot_athlete_id: '6f1f0a5e-4a55-4b7e-8f6b-1f2f3f4f5f6f',
  first_name_local: 'Ана',
  last_name_local: 'Бо',
  pb: '6.10',
  sb: '',
  qp: null,
  sort_bib: '00001',
  checked_in: true,
  non_scorer: false,
  flag_url: 'https://example.org/flag.svg',
};

const person = (fields: Record<string, unknown>) => ({ competitors: [{ competitor_id: '1', ...fields }] });

describe('a competitor in public', () => {
  test('shows the fields of the short list, and an age in place of the date of birth', async () => {
    const { store, document } = await uploadsInto(admin, { date: '2026-07-30' });
    await store(
      person({
        ...PUBLIC_FIELDS,
        ...ALIASES,
        email: 'ana@example.org',
        phone: 44,
        national_id: 'X1',
        licence: { number: 'SECRET' },
        age: 99,
      }),
    );
    expect((await document()).competitors).toStrictEqual([{ ...PUBLIC_FIELDS, age: 26 }]);
  });

  test('has no age without a date of birth', async () => {
    const { store, document } = await uploadsInto(admin);
    await store(person({ date_of_birth: '', age: 30, ...UNKNOWN_ALIASES }));
    expect((await document()).competitors).toStrictEqual([{ competitor_id: '1' }]);
  });

  test.for([
    ['2026-07-30', 26],
    ['2026-07-31', 27],
    ['2026-08-01', 27],
    ['1999-07-31', 0],
  ] as const)('is on %s, the first day of the competition, %i years old', async ([date, age]) => {
    const { store, document } = await uploadsInto(admin, { date, finish_date: '2026-08-02' });
    await store(person({ date_of_birth: SECRET }));
    expect((await document()).competitors[0].age).toBe(age);
  });

  test('ages with the competition when it moves', async () => {
    const { store, document } = await uploadsInto(admin, { date: '2026-07-30' });
    await store(person({ date_of_birth: SECRET }));
    await store({ date: '2026-07-31', finish_date: '2026-07-31' });
    expect((await document()).competitors[0].age).toBe(27);
  });

  test('born after the competition has no age', async () => {
    const { store, document } = await uploadsInto(admin, { date: '2026-07-30' });
    await store(person({ date_of_birth: '2026-07-31' }));
    expect((await document()).competitors).toStrictEqual([{ competitor_id: '1' }]);
  });
});

describe('of whom only the year of birth is known', () => {
  test.for<[unknown, number]>([
    [2008, 18],
    ['2008', 18],
    [' 1931 ', 95],
    [2026, 0],
  ])(
    'born in %j, the public sees the age that is reached in the year of the competition',
    async ([year_of_birth, age]) => {
      const { store, document, page } = await uploadsInto(admin, { date: '2026-01-02' });
      await store(person({ year_of_birth }));
      expect((await document()).competitors).toStrictEqual([{ competitor_id: '1', age }]);
      for (const address of [`${page}/competitor/1/json/`, `${page}/json/?case=camel`])
        expect((await api.get(address)).text).toMatch(new RegExp(`^(?!.*[bB]irth).*"age":${age}\\b`, 's'));
    },
  );

  test('the administrators see the year, and other accounts the age', async () => {
    const { store, path } = await uploadsInto(admin);
    await store(person({ year_of_birth: '2008' }));
    const competitors = async (client: typeof admin) =>
      (await client.get(`${path}?include=competitors`)).body.competitors;
    expect(await competitors(admin)).toEqual([{ competitor_id: '1', year_of_birth: 2008 }]);
    expect(await competitors(await api.as('ADMIN_FRA'))).toEqual([{ competitor_id: '1', age: 18 }]);
  });

  test('the date counts once it is known, also against the year', async () => {
    const { store, document } = await uploadsInto(admin, { date: '2026-07-30' });
    await store(person({ year_of_birth: 2001 }));
    expect((await document()).competitors[0].age).toBe(25);
    await store(person({ date_of_birth: SECRET }));
    expect((await document()).competitors[0].age).toBe(26);
    await store(person({ date_of_birth: '' }));
    expect((await document()).competitors[0].age).toBe(25);
    await store(person({ year_of_birth: null }));
    expect((await document()).competitors).toStrictEqual([{ competitor_id: '1' }]);
  });

  test.for<unknown>([1849, 2027, '27', 2008.5, 'unknown', '2008-01-01', true])(
    'a year of %j is a 422 with its path, on every way in',
    async (year_of_birth) => {
      const { upload, document } = await uploadsInto(admin);
      const sent = competition(person({ year_of_birth }));
      const answers = [
        await upload(person({ year_of_birth })),
        await admin.post('/api/v1/competitions/', sent),
        await admin.post('/api/v1/competitions/test', sent),
      ];
      for (const { status, body } of answers) {
        expect(status).toBe(422);
        const loc = ['body', 'competitors', 0, 'year_of_birth'];
        expect(body.detail).toEqual([expect.objectContaining({ loc })]);
      }
      expect((await document()).competitors).toEqual([]);
    },
  );
});

describe('a date of birth', () => {
  const hidden = { ...ALIASES, athlete: { ...ALIASES, name: 'Ana' }, list: [{ dob: SECRET }] };
  const everywhere = {
    competitors: [{ competitor_id: '1', ...ALIASES, events_entered: [{ event_id: 'E', ...hidden }] }],
    teams: [{ team_id: 'T', ...hidden }],
    relay_teams: [{ relay_team_id: 'TA', event_id: 'E', ...hidden }],
    events: [
      {
        event_id: 'E',
        event_code: 'LJ',
        ...hidden,
        units: [
          {
            round: 1,
            heat: 1,
            ...hidden,
            results: [{ bib: '1', performance: '6.00', ...hidden }],
            trials: [{ bib: '1', round: 1, result: 'x', ...hidden }],
          },
        ],
      },
    ],
  };

  test('is in no public answer and no pushed event, wherever it was put', async () => {
    const pushed = outboxReader(api.db);
    const { store, page, path } = await uploadsInto(admin, { push: true, contact: hidden });
    await store(everywhere);
    const texts = [
      (await api.get(`${page}/json/`)).text,
      (await api.get(`/en${page}/json`)).text,
      (await api.get(`${page}/event/E/1/1/json/`)).text,
      ...(await pushed()).map(({ text }) => text),
    ];
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toMatch(/of_birth|OfBirth|"dob"|"yob"|birth_date|birth_year|birthYear/);
    }
    expect((await admin.get(path)).status).toBe(200);
  });

  test('is shown by the API to those who may edit the competition, and to no other account', async () => {
    const { store, path } = await uploadsInto(admin);
    await store(everywhere);
    const all = `${path}?include=competitors,teams,relay_teams,events`;
    const own = await admin.get(all);
    expect(own.body.competitors[0]).toEqual(everywhere.competitors[0]);
    expect(own.body.teams[0]).toEqual(everywhere.teams[0]);
    const plain = await api.as('ADMIN_FRA');
    const { status, text } = await plain.get(all);
    expect(status).toBe(200);
    expect(text).not.toContain(SECRET);
  });

  test('does not take with it what stands beside it', async () => {
    const { store, unit, document } = await uploadsInto(admin);
    await store(everywhere);
    expect((await unit('E')).results[0].athlete).toEqual({ name: 'Ana' });
    expect((await document()).teams[0].athlete).toEqual({ name: 'Ana' });
  });

  test('in a name is no date of birth', async () => {
    const { store, document } = await uploadsInto(admin);
    await store({ teams: [{ team_id: 'T', team_name: 'The "dob" date_of_birth', remark: '"dob":' }] });
    expect((await document()).teams).toEqual([
      { team_id: 'T', team_name: 'The "dob" date_of_birth', remark: '"dob":' },
    ]);
  });

  test('is public where the service is configured to publish it', async () => {
    const open = await startTestApp({ PUBLISH_DATE_OF_BIRTH: 'true' });
    try {
      const { store, document } = await uploadsInto(await open.as('ADMIN_GBR'));
      await store(person({ ...ALIASES }));
      expect((await document()).competitors).toEqual([
        { competitor_id: '1', date_of_birth: SECRET, year_of_birth: YEAR, age: 26 },
      ]);
      await store(person({ date_of_birth: null, year_of_birth: '1998' }));
      expect((await document()).competitors).toEqual([{ competitor_id: '1', year_of_birth: 1998, age: 28 }]);
    } finally {
      await open.close();
    }
  });
});

describe('what is personal', () => {
  // Of names that tell, and of one that does not.
  const personal = {
    DOB: '1999-07-31',
    date_of__birth: '1999-07-31',
    geburtsdatum: '31.07.1999',
    fødselsdato: '31.07.1999',
    'E-Mail': 'ana@example.org',
    phoneNumber: 4_477_009,
    home_address: { city: 'Lodz' },
    Lizenznummer: 'L-1',
    nationalID: 'N-1',
    remark: 'ask ana@example.org',
    coach: { reach: '+44 7700 900123' },
  };
  const TRACES = /1999|ana@|4477009|Lodz|L-1|N-1|7700/;
  // Ids and tokens may hold any digits.
  const CHANCE = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|"override_token":"[^"]+"/g;
  const shown = { coach: {} };
  const meeting = {
    competitors: [{ competitor_id: '1', ...personal, events_entered: [{ event_id: 'E', ...personal }] }],
    teams: [{ team_id: 'T', ...personal }],
    relay_teams: [{ relay_team_id: 'TA', event_id: 'E', ...personal }],
    events: [
      {
        event_id: 'E',
        event_code: 'LJ',
        ...personal,
        units: [
          {
            round: 1,
            heat: 1,
            ...personal,
            results: [{ bib: '1', performance: '6.00', ...personal }],
            trials: [{ bib: '1', round: 1, result: '6.00', ...personal }],
          },
        ],
      },
    ],
  };
  const EXTRA = { ...personal, sponsor: 'N-1', english_name: 'Night' };
  const INCLUDED = '?include=competitors,teams,relay_teams,events';

  test('leaves by no way: pages in both spellings, pushes, calendars, lists, duplicates, included parts', async () => {
    const pushed = outboxReader(api.db);
    // Not numbered, as other meetings are: the number may be one of those digits.
    const named = { full_name: 'Night', slug: 'night', date: '2026-09-09' };
    const { store, page, path } = await uploadsInto(admin, { push: true, ...named, ...EXTRA });
    await store(meeting);
    const other = await api.as('ADMIN_FRA');
    const { full_name, date, year, country_id: country } = (await admin.get(path)).body;
    const twice = { full_name, date, country_id: 'FRA' };
    const addresses = [`${page}/`, `${page}/event/E/`, `${page}/event/E/1/`, `${page}/event/E/1/1/`];
    addresses.push(`${page}/competitor/1/`, `/x/${year}/`, `/x/${year}/${country}/`);
    const answers = [
      ...(await Promise.all(addresses.map((address) => api.get(`${address}json/`)))),
      ...(await Promise.all(addresses.map((address) => api.get(`${address}json/?case=camel`)))),
      await other.get(path),
      await other.get(`${path}${INCLUDED}`),
      await other.get(`${path}/events/E/units/1/1`),
      await other.get(`/api/v1/competitions/?from_date=${date}&to_date=${date}`),
      await other.post('/api/v1/competitions/', twice),
    ];
    expect(answers.map(({ status }) => status)).toEqual([...Array(18).fill(200), 409]);
    const texts = [...answers.map(({ text }) => text), ...(await pushed()).map(({ text }) => text)];
    expect(texts.filter((text) => TRACES.test(text.replaceAll(CHANCE, '')))).toEqual([]);
    expect(answers[0]!.body).toMatchObject({ english_name: 'Night', teams: [{ team_id: 'T', ...shown }] });
  });

  test('is read through the API by those who may edit, in lists and duplicates too', async () => {
    const { store, path } = await uploadsInto(admin, { date: '2026-09-10', ...EXTRA });
    await store(meeting);
    const whole = (await admin.get(`${path}${INCLUDED}`)).body;
    expect(whole).toMatchObject({ ...EXTRA, ...meeting });
    const { date, full_name, id } = whole;
    const list = await admin.get(`/api/v1/competitions/?from_date=${date}&to_date=${date}`);
    expect(list.body.find((one: { id: string }) => one.id === id)).toMatchObject(EXTRA);
    const again = await admin.post('/api/v1/competitions/', { full_name, date, country_id: 'GBR' });
    expect(again.body.detail.mathing_competitions).toMatchObject([EXTRA]);
    const director = await api.as();
    await admin.patch(`${path}/settings`, { directors: [admin.email, director.email] });
    expect((await director.get(path)).body).toMatchObject(EXTRA);
    const listed = await director.get(`/api/v1/competitions/?from_date=${date}&to_date=${date}`);
    expect(listed.body.find((one: { id: string }) => one.id === id)).toMatchObject(EXTRA);
  });

  test('is not lost to who reads a unit, adds to it and sends it back', async () => {
    const { store, path, unit } = await uploadsInto(admin);
    await store(meeting);
    const address = `${path}/events/E/units/1/1`;
    const { body } = await admin.get(address);
    const results = body.results.map((result: object) => ({ ...result, performance: '6.20' }));
    const saved = await admin.patch(address, { ...body, results });
    expect(saved.body.results).toMatchObject([{ ...personal, performance: '6.20' }]);
    expect(saved.body.trials).toMatchObject([personal]);
    expect((await admin.get(address)).text).toBe(saved.text);
    const { results: public_, trials } = await unit('E');
    expect(public_).toMatchObject([{ bib: '1', performance: '6.20', ...shown }]);
    expect(JSON.stringify([public_, trials])).not.toMatch(TRACES);
  });
});
