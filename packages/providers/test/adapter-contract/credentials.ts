import { describe, expect, test } from 'vitest';
import { type AdapterContract, type Vendor } from './open-contract.ts';
import { readCredentials } from '../read-credentials.ts';

/** The part of the contract that also applies to providers without an HTTP API. */
type CredentialsContract = Pick<AdapterContract, 'name' | 'createAdapter'> & {
  vendor: Pick<Vendor, 'credentials'>;
};

/** Tests how the credentials of an account are parsed and shown. */
export function describeCredentials(contract: CredentialsContract): void {
  const { credentials } = contract.vendor;
  if (credentials === null) return;
  const { valid, secret, required } = credentials;
  const adapterOf = () => contract.createAdapter({ apiUrl: 'http://127.0.0.1:9' });

  describe(`${contract.name}: credentials`, () => {
    test.each(required)('credentials without `%s` are refused, and the error names it', (name) => {
      const adapter = adapterOf();
      for (const value of [undefined, null, '']) {
        const input = { ...valid, [name]: value };
        expect(() => readCredentials(adapter, input)).toThrow(
          expect.objectContaining({
            code: 'missing_params',
            message: expect.stringContaining(`\`${name}\``),
          }),
        );
      }
    });

    test.each(Object.keys(valid))(
      'a `%s` of the wrong type is refused, and the error names it',
      (name) => {
        const adapter = adapterOf();
        const input = { ...valid, [name]: {} };
        expect(() => readCredentials(adapter, input)).toThrow(
          expect.objectContaining({
            code: expect.stringMatching(/^(missing|invalid)_params$/),
            message: expect.stringContaining(`\`${name}\``),
          }),
        );
      },
    );

    test('the description of an account shows no secret beyond its last four characters', () => {
      const adapter = adapterOf();
      const { account, secretLast4 } = readCredentials(adapter, valid);
      const described = adapter.describeCredentials(account);
      const shown = Object.values(described).join('\n');
      for (const name of secret) {
        const value = String(valid[name]);
        expect(shown).not.toContain(value.slice(-5));
        expect(described).not.toHaveProperty(name);
      }
      for (const [name, value] of Object.entries(valid)) {
        if (!secret.includes(name)) expect(described).toHaveProperty(name, value);
      }
      expect(secretLast4).toHaveLength(4);
      expect(shown).toContain(secretLast4);
    });
  });
}
