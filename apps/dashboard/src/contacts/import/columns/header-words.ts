/**
 * The words of column names, by what they mean, in English, German, French, Spanish, Portuguese, Italian, Dutch, Polish,
 * Turkish, Russian, Japanese, Chinese, Korean and Arabic, separated by commas. Accents and case do not matter.
 */

/** Complete names of columns. */
export const NAMES = {
  firstName: `
    first name, firstname, first, given name, forename, fname, christian name, vorname, rufname, prenom, prenoms,
    nombres, primer nombre, nombre de pila, primeiro nome, nome proprio, nome di battesimo, voornaam, roepnaam,
    imie, imiona, isim, on ad, имя, ime, 名, ファーストネーム, الاسم الاول, الاسم الشخصي`,
  middleName: `
    middle name, middle, middle initial, additional name, second name, zweiter vorname, weitere vornamen, deuxieme
    prenom, segundo nombre, nome do meio, segundo nome, secondo nome, tussenvoegsel, drugie imie, ikinci ad,
    отчество, ミドルネーム, 中间名, 中間名, الاسم الاوسط`,
  lastName: `
    last name, lastname, last, surname, family name, lname, nachname, familienname, zuname, nom de famille,
    apellido, apellidos, primer apellido, apellido paterno, sobrenome, apelido, apelidos, ultimo nome, cognome,
    achternaam, familienaam, nazwisko, soyad, soyadi, soyisim, фамилия, 姓, 苗字, 姓氏, 성, 성씨, اسم العائله,
    اللقب, الكنيه, اسم العائلة, الكنية`,
  secondLastName: 'second last name, segundo apellido, apellido materno',
  /** A full name, or the other part where a column has one part. */
  name: `
    name, full name, fullname, display name, contact name, customer name, client name, person name, contact,
    customer, full legal name, your name, vollstandiger name, anzeigename, kundenname, vor und nachname, kunde,
    ansprechpartner, nom, nom complet, nom et prenom, nom prenom, nom du client, nombre, nombre completo, nombre y
    apellidos, nombre y apellido, nombre del cliente, cliente, nome, nome completo, nome e cognome, nome e
    sobrenome, nome do cliente, nominativo, naam, volledige naam, klantnaam, nazwa, imie i nazwisko, pelne imie i
    nazwisko, ad, adi, ad soyad, adi soyadi, isim soyisim, tam ad, имя и фамилия, фио, полное имя, контакт,
    клиент, 名前, 氏名, お名前, 姓名, 名字, 全名, 联系人, 聯絡人, 이름, 성명, 성함, 고객명, الاسم, الاسم الكامل, اسم العميل, اسم`,
  tags: `
    tag, tags, label, labels, group, groups, group membership, category, categories, segments, lists, schlagwort,
    schlagworter, gruppe, gruppen, kategorie, kategorien, etikett, etiketten, etiquette, etiquettes, groupe,
    groupes, categorie, etiqueta, etiquetas, grupo, grupos, categoria, categorias, marcadores, etichetta,
    etichette, gruppo, gruppi, groep, groepen, categorieen, etykieta, etykiety, grupa, grupy, kategoria, etiket,
    etiketler, grup, gruplar, тег, теги, метка, метки, группа, группы, категории, タグ, ラベル, グループ, 标签, 標籤, 分组, 群組,
    태그, 라벨, 그룹, وسم, وسوم, الوسوم, علامات, العلامات, المجموعات`,
  otherNumbers: `
    other numbers, other number, additional numbers, weitere nummern, autres numeros, otros numeros`,
} as const;

/** Words before the name of a person: `Billing first name`. */
export const PERSONS = `
    contact, customer, client, billing, shipping, lead, person, patient, student, member, guest, attendee,
    subscriber, recipient, kunden, kontakt`;

/** Beginnings of words. */
export const BEGINNINGS = {
  mobile: `
    mobil, mobie, cellul, cellphone, celular, movil, telemov, handy, natel, komork, мобил, сотов, portatil`,
  phone: `
    phone, teleph, telefon, telefoon, landline, festnetz, rufnummer, fernsprech, телефон, whatsapp, smartphone,
    iphone, هاتف, الهاتف, تليفون, موبايل`,
  fax: 'fax, telefax, факс',
};

/** Complete words. */
export const WORDS = {
  mobile: 'cell, mobile, mob, gsm, portable, моб, جوال, الجوال, محمول, المحمول, نقال, موبايل',
  /** Beside a word for phone only: `CEP` alone is a Brazilian postal code. */
  mobilePhone: 'cep',
  phone: 'tel, tlf, tlfn, fon, msisdn, hp, тел, telf',
  /** A number of something: a phone number only if the values are. */
  number:
    'number, numbers, nr, no, num, nummer, numero, numer, numara, numarasi, номер, رقم, الرقم',
  /** Other parts of a phone number, or other ways to reach someone. */
  excluded: `
    phonetic, yomi, type, kind, label, typ, tipo, тип, ext, extension, durchwahl, code, prefix, vorwahl,
    indicatif, prefijo, country, pager, telex`,
  /** Phone numbers of others, which the person may share. */
  otherPerson: `
    assistant, assistants, spouse, partner, emergency, manager, parent, mother, father, reference, referrer,
    secretary, notfall, assistent, emergencia, urgence, emergenza, owner, agent, company, callback, radio, tty,
    ttytdd`,
  /** Numbers that identify something else. */
  identifier: `
    account, customer, order, invoice, id, zip, postal, plz, vat, tax, ssn, card, iban, policy, case, ticket,
    member, membership, patient, record, serial, sku, house, kunden, kundennummer, kundennr, konto, kontonummer,
    rechnung, rechnungsnummer, bestellnummer, client, commande, facture, cuenta, pedido, factura, cliente, conto,
    ordine, klant, klantnummer, rekening, klienta, zamowienia, musteri, siparis, заказа, клиента, счета`,
};

/** Parts of words, in scripts that write no spaces. */
export const PARTS = {
  mobile: '携帯, 手机, 手機, 行動電話, 移动电话, 携带电话, 휴대, 핸드폰, 모바일',
  phone: '電話, 电话, 전화, テレフォン, 연락처',
  excluded: 'ファックス, 传真, 傳真, 팩스, フリガナ, ふりがな, カナ, 区号, 국가',
};
