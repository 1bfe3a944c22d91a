import { describe, expect, it } from 'vitest';
import {
  adminOf,
  canonicalGroup,
  mayCreate,
  mayDelete,
  mayEdit,
  type Actor,
} from '../../src/accounts/permissions.ts';

const actor = (...groups: string[]): Actor => ({ id: 'me', email: 'me@example.org', groups });
const norwegian = { countryId: 'NOR', directorIds: ['somebody'] };
const directedByMe = { countryId: 'NOR', directorIds: ['somebody', 'me'] };

describe('permissions', () => {
  it("a country's administrator may create, edit and delete there, and nowhere else", () => {
    const admin = actor('ADMIN_NOR');
    expect([mayCreate(admin, 'NOR'), mayEdit(admin, norwegian), mayDelete(admin, norwegian)]).toEqual([
      true,
      true,
      true,
    ]);
    const swedish = { ...norwegian, countryId: 'SWE' };
    expect([mayCreate(admin, 'SWE'), mayEdit(admin, swedish), mayDelete(admin, swedish)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('a director may edit the competition but neither delete it nor create another', () => {
    const director = actor();
    expect(mayEdit(director, directedByMe)).toBe(true);
    expect(mayEdit(director, norwegian)).toBe(false);
    expect(mayDelete(director, directedByMe)).toBe(false);
    expect(mayCreate(director, 'NOR')).toBe(false);
  });

  it('the British administrator covers the home nations, a home nation only itself', () => {
    expect(['GBR', 'ENG', 'SCO', 'WAL', 'NIR'].map((code) => adminOf(actor('ADMIN_GBR'), code))).toEqual(
      Array(5).fill(true),
    );
    expect(adminOf(actor('ADMIN_GBR'), 'IRL')).toBe(false);
    expect(adminOf(actor('ADMIN_SCO'), 'SCO')).toBe(true);
    expect(adminOf(actor('ADMIN_SCO'), 'GBR')).toBe(false);
  });

  it('several groups add up', () => {
    expect(adminOf(actor('ADMIN_NOR', 'ADMIN_SWE'), 'SWE')).toBe(true);
  });

  it('group names are stored under the ISO code, whatever the spelling', () => {
    expect(canonicalGroup('ADMIN_GER')).toBe('ADMIN_DEU');
    expect(canonicalGroup('admin_gbr')).toBe('ADMIN_GBR');
    expect(canonicalGroup('ADMIN_SCO')).toBe('ADMIN_SCO');
  });

  it.each(['ADMIN_XXX', 'ADMIN_', 'ADMIN', 'EDITORS', 'ADMIN_GB', 'XADMIN_GBR', 'ADMIN_GBR ', ''])(
    '%j is no group',
    (name) => {
      expect(canonicalGroup(name)).toBeNull();
    },
  );
});
