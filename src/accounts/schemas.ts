// Shapes of the sign-in endpoints.
import { z } from 'zod';
import { PASSWORD_LENGTH } from './passwords.ts';

// Neither may reach the database: it stores no U+0000, and a lone surrogate would come back as something else.
const text = z
  .string()
  .refine((value) => !/\0|\p{Surrogate}/u.test(value), 'must not contain U+0000 or lone surrogates');

const password = text.min(1).max(PASSWORD_LENGTH.max);

/** An e-mail address as it is sent; letter case and surrounding space do not matter. */
export const EmailAddress = z
  .string()
  .trim()
  .max(254)
  .regex(z.regexes.unicodeEmail, 'Must be an e-mail address')
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'Must be an e-mail address');

export const Credentials = z
  .object({
    username: text.min(1).max(320).describe("The account's e-mail address"),
    password,
  })
  .meta({ id: 'Credentials', example: { username: 'timing@example.org', password: 'correct horse' } });

export const PasswordChange = z
  .object({
    current_password: password,
    new_password: password.describe(
      `${PASSWORD_LENGTH.min} characters or more, neither among the commonest nor the address of the account`,
    ),
  })
  .meta({
    id: 'PasswordChange',
    example: { current_password: 'correct horse', new_password: 'a longer one with a stapler' },
  });

export const Token = z
  .object({ access_token: z.string(), token_type: z.literal('bearer'), expires_in: z.number() })
  .meta({
    id: 'Token',
    example: { access_token: 'eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl', token_type: 'bearer', expires_in: 86_400 },
  });

export const Me = z
  .object({
    email: z.string(),
    groups: z.array(z.string()),
    competitions: z.array(z.string()).describe('Ids of the competitions this account directs'),
  })
  .meta({
    id: 'Me',
    example: {
      email: 'timing@example.org',
      groups: ['ADMIN_GBR'],
      competitions: ['5b0c7a52-8f0e-4d0a-9a3e-2f7c1f0d6b11'],
    },
  });
