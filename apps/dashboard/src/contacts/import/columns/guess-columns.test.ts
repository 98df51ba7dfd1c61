import { expect, test } from 'vitest';
import { readTable } from '../file/read-table.ts';
import { createReadNumber } from '../plan/read-number.ts';

const readNumber = createReadNumber({ country: 'US', ambiguous: 'skip' });
import { describeColumns } from './describe-columns.ts';
import { guessColumns } from './guess-columns.ts';

/** Guesses the columns of a table with a row of names and rows of values. Lists the uses that are no field. */
function guess(...lines: string[]): Record<string, string> {
  const table = readTable(
    new Uint8Array(Buffer.from(lines.join('\n'))),
    { encoding: 'utf-8', delimiter: null, headerRow: 1 },
    'en',
  );
  if ('kind' in table) throw new Error(`the table was refused: ${table.kind}`);
  const columns = describeColumns(table.headers, table.rows);
  const uses = guessColumns(columns, table.rows, (text) => readNumber(text) !== 'invalid');
  const used = columns.map(({ field }, at) => [field, uses[at] ?? ''] as const);
  return Object.fromEntries(used.filter(([, use]) => use !== 'field'));
}

const NAMES = { 'First Name': 'firstName', 'Last Name': 'lastName' };

test.each([
  [
    'an account number before the mobile number',
    ['Account Number,Name,Mobile', '4155550100,Ada,+14155550101', '4155550102,Bob,+14155550103'],
    { Name: 'name', Mobile: 'number' },
  ],
  [
    'account numbers alone',
    ['Account Number,Name', '4155550100,Ada', '4155550102,Bob'],
    { Name: 'name' },
  ],
  [
    'a mobile column with other values',
    ['Mobile,Telephone', 'yes,+14155550101', 'no,+14155550102'],
    { Telephone: 'number' },
  ],
  [
    'numbers without a name that says so',
    ['who,reach at', 'Ada,+14155550101', 'Bob,+14155550102'],
    { 'reach at': 'number' },
  ],
  [
    'dates and ids that are as long as numbers',
    [
      'Record,Created,Cell',
      '10023344,2026-01-02,(415) 555-0101',
      '10023345,2026-01-03,(415) 555-0102',
    ],
    { Cell: 'number' },
  ],
  [
    'contacts of Google',
    [
      'First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Last Name,Labels,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value',
      'Ada,King,Lovelace,Ay-da,,* myContacts ::: VIP,ada@example.com,Mobile,+14155550101 ::: +14155550109,Work,+14155550102',
    ],
    {
      ...NAMES,
      'Middle Name': 'firstName',
      'Phonetic Last Name': 'ignore',
      Labels: 'tags',
      'Phone 1 - Value': 'number',
      'Phone 2 - Value': 'otherNumbers',
    },
  ],
  [
    'contacts of HubSpot',
    [
      'Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Contact owner,Lead Status,Associated Company',
      '101,Ada,Lovelace,a@example.com,+14155550101,+14155550102,Bob,New,Acme',
      '102,Joan,Clarke,j@example.com,+14155550103,,Bob,New,Acme',
    ],
    { ...NAMES, 'Mobile Phone Number': 'number', 'Phone Number': 'otherNumbers' },
  ],
  [
    'contacts of Outlook',
    [
      "First Name,Middle Name,Last Name,Title,Company,Assistant's Phone,Business Fax,Business Phone,Car Phone,Company Main Phone,Home Phone,Mobile Phone,Pager,Categories,Account",
      'Ada,,Lovelace,,Acme,+14155550104,+14155550105,+14155550106,,+14155550107,+14155550108,+14155550101,,vip,12',
    ],
    {
      ...NAMES,
      'Middle Name': 'ignore',
      Title: 'ignore',
      'Business Phone': 'otherNumbers',
      'Car Phone': 'ignore',
      'Home Phone': 'otherNumbers',
      'Mobile Phone': 'number',
      Pager: 'ignore',
      Categories: 'tags',
    },
  ],
  [
    'contacts of Salesforce',
    [
      'Id,FirstName,LastName,AccountId,Account Name,MobilePhone,Phone,Fax,AssistantPhone',
      ...Array.from(
        { length: 8 },
        (_, at) =>
          `003${at},Ada${at},Lovelace,001,Acme,+1415555010${at},+14155550199,+14155550198,`,
      ),
    ],
    {
      FirstName: 'firstName',
      LastName: 'lastName',
      MobilePhone: 'number',
      AssistantPhone: 'ignore',
    },
  ],
  [
    'customers of Shopify',
    [
      'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Zip,Default Address Phone,Phone,Accepts SMS Marketing,Total Orders,Tags',
      "8812345678901,Ada,Lovelace,a@example.com,yes,'94107,'+14155550101,'+14155550101,no,3,vip",
    ],
    { ...NAMES, 'Default Address Phone': 'number', Phone: 'otherNumbers', Tags: 'tags' },
  ],
  [
    'leads of Facebook',
    [
      'id\tcreated_time\tad_id\tad_name\tcampaign_name\tform_name\tis_organic\tplatform\tfull_name\tphone_number\temail',
      'l:1234567890123\t2026-01-02T10:00:00+01:00\tag:4155550100\tSpring\tSpring\tForm\tfalse\tfb\tAda Lovelace\tp:+14155550101\ta@example.com',
    ],
    { full_name: 'name', phone_number: 'number' },
  ],
  [
    'orders of WooCommerce',
    [
      'Order Number,Billing First Name,Billing Last Name,Shipping First Name,Billing Phone',
      '1001,Ada,Lovelace,Ada,(415) 555-0101',
    ],
    {
      'Billing First Name': 'firstName',
      'Billing Last Name': 'lastName',
      'Billing Phone': 'number',
    },
  ],
])('the columns of %s are recognized', (_what, lines, uses) => {
  expect(guess(...lines)).toEqual(uses);
});

test.each([
  ['German', 'Nachname;Vorname;Handynummer;Festnetz;Kundennummer'],
  ['German', 'Familienname;Rufname;Mobiltelefon;Telefon privat;PLZ'],
  ['French', 'Nom;Prénom;Téléphone portable;Téléphone fixe;Code postal'],
  ['French', 'NOM DE FAMILLE;Prénoms;Portable;Tél.;N° client'],
  ['Spanish', 'Apellidos;Nombre;Móvil;Teléfono fijo;Pedido'],
  ['Portuguese', 'Sobrenome;Nome;Celular;Telefone;CEP'],
  ['Portuguese', 'Apelido;Primeiro nome;Telemóvel;Telefone fixo;Conta'],
  ['Italian', 'Cognome;Nome;Cellulare;Telefono;Ordine'],
  ['Dutch', 'Achternaam;Voornaam;Mobiel nummer;Telefoonnummer;Klantnummer'],
  ['Polish', 'Nazwisko;Imię;Telefon komórkowy;Telefon stacjonarny;Kod'],
  ['Turkish', 'Soyadı;Adı;Cep Telefonu;Ev Telefonu;Sipariş'],
  ['Turkish', 'SOYAD;AD;CEP TEL;İŞ TEL;Müşteri'],
  ['Russian', 'Фамилия;Имя;Мобильный телефон;Рабочий телефон;Номер заказа'],
  ['Japanese', '姓;名;携帯電話;電話番号;フリガナ'],
  ['Chinese', '姓氏;名字;手机号码;电话;区号'],
  ['Chinese', '姓;名;行動電話;電話;傳真'],
  ['Korean', '성;이름;휴대폰 번호;전화번호;팩스'],
  ['Arabic', 'اسم العائلة;الاسم الأول;رقم الجوال;رقم الهاتف;الرمز'],
])('the column names of a table in %s are recognized: %s', (_language, header) => {
  const [last = '', first = '', mobile = '', phone = ''] = header.split(';');
  const rows = [
    'Lovelace;Ada;+14155550101;+14155550111;4155550121',
    'Clarke;Joan;+14155550102;+14155550112;4155550122',
  ];
  expect(guess(header, ...rows)).toEqual({
    [last]: 'lastName',
    [first]: 'firstName',
    [mobile]: 'number',
    [phone]: 'otherNumbers',
  });
});

test.each([
  [
    'Name,Vorname,Handy',
    'Lovelace,Ada,+14155550101',
    { Name: 'lastName', Vorname: 'firstName', Handy: 'number' },
  ],
  [
    'Name,Surname,Cell',
    'Ada,Lovelace,+14155550101',
    { Name: 'firstName', Surname: 'lastName', Cell: 'number' },
  ],
  [
    'Name,First name,Cell',
    'Ada Lovelace,Ada,+14155550101',
    { Name: 'name', 'First name': 'firstName', Cell: 'number' },
  ],
])('the column Name of %j has the part that the other column lacks', (header, row, uses) => {
  expect(guess(header, row)).toEqual(uses);
});

test('columns with the same name, without one or with a long one get different names, and none replaces another', () => {
  const long = 'What is the best phone number to reach you at during the day?';
  const headers = ['Note', 'note ', 'Note', '', '__proto__', 'fields.Note', long, `${long} 2`];
  const fields = describeColumns(headers, []).map(({ field }) => field);
  expect(fields).toEqual([
    'Note',
    'note',
    'Note 2',
    'Column 4',
    'Column 5',
    'Note 3',
    `${long.slice(0, 49)}…`,
    `${long.slice(0, 47)}… 2`,
  ]);
});

test('the examples of a column show a value with accents first, because it shows a wrong encoding', () => {
  const rows = ['Ada', 'Bob', 'Zoë', 'Réne'].map((name, at) => ({ row: at + 2, cells: [name] }));
  expect(describeColumns(['Name'], rows)[0]).toMatchObject({ examples: ['Zoë', 'Ada'], values: 4 });
});
