// Names of fields that speak of birth, mail, telephone, address, licence or national id, in the languages of athletics. Pure.

/** Reduced as `lettersOf` does: wherever one of these stands in a name, the field is personal. */
const SPEAKING = // birth
  (
    'birth geburt gebdat gebjahr geboren geboorte jahrgang fodsel fodelse fodested naissance nacimiento nascita nascimento ' +
    'syntyma urodz narozen rodjen rodenja szulet nastere dogum рожд роден народж γεννη ' +
    // mail
    'mail correoelectr courriel sahkoposti postaelettronica почта ' +
    // telephone
    'phone telefon puhelin cellulare telemovel mobilnummer mobilenumber handynum whatsapp телефон τηλεφων ' +
    // address
    'address adress adresa direccion indirizzo endereco osoite adres postcode postalcode postleitzahl postnummer zipcode ' +
    'codigopostal codepostal адрес διευθυνσ ' +
    // licence
    'licen lizenz lisens tessera лиценз ' +
    // national id
    'nationalid nationalinsurance personnummer personalnumber personalid idnumber identitycard idcard passport passeport ' +
    'pasaporte pasaport reisepass passnummer socialsecurity taxid taxnumber fiscalcode codicefiscale ausweis henkilotunnus ' +
    'rodnecislo паспорт'
  ).split(' ');

/** Too short to be looked for within other words: a name is personal when it is one of these, or one of its words is. */
const WORDS = new Set(
  (
    'bday born nee fodt fodd gsm tel telno telnr tlf tlfnr tfn mob mobile mobil mobilnr handy handynr fax cell sms epost mejl eposta street strasse ' +
    'zip plz ssn nin dni nie nif cpf bsn pesel cnp egn oib jmbg ahv cni cnic'
  ).split(' '),
);

/** Only the letters, in lower case, without accents: "Date-of__Birth" is dateofbirth, "fødselsdato" fodselsdato. */
const lettersOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^\p{L}]+/gu, '')
    .replace(/[øæßłđðı]/g, (letter) => PLAIN_LETTERS[letter]!);

const PLAIN_LETTERS: Record<string, string> = {
  ø: 'o',
  æ: 'ae',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
};

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}\p{M}]+/u)
    .map(lettersOf);

function judged(name: string): boolean {
  const letters = lettersOf(name);
  return (
    WORDS.has(letters) ||
    /(?:^[dy]ob|[dy]ob$)/.test(letters) ||
    SPEAKING.some((part) => letters.includes(part)) ||
    wordsOf(name).some((word) => WORDS.has(word))
  );
}

// Uploads say the same few names a hundred thousand times. The names are the senders', so there are only so many of them.
const JUDGED_BEFORE = new Map<string, boolean>();
const REMEMBERED = 5_000;

/** Whether a field of this name is about a person's life outside the stadium. */
export function isPersonalName(name: string): boolean {
  const known = JUDGED_BEFORE.get(name);
  if (known !== undefined) return known;
  if (JUDGED_BEFORE.size >= REMEMBERED) JUDGED_BEFORE.clear();
  const personal = judged(name);
  if (name.length <= 100) JUDGED_BEFORE.set(name, personal);
  return personal;
}
