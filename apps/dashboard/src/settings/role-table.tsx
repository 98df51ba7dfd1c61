import { PERMISSIONS, type Permission, ROLES, hasPermission } from '@switchboard/contracts';
import * as strings from '#strings/members';
import * as names from '#strings/names';
import { Check } from '../ui/icons.ts';
import { Section } from './section.tsx';

const ALL = Object.keys(PERMISSIONS) as Permission[];

/** The choices of a role. */
export function RoleOptions() {
  return ROLES.map((role) => (
    <option key={role} value={role}>
      {names.roles[role]}
    </option>
  ));
}

/** What each role may do, from the table that the server checks. */
export function RoleTable() {
  return (
    <Section title={strings.whatRolesMayDo}>
      <div className="card overflow-x-auto">
        <table className="w-full text-[0.8125rem]">
          <thead>
            <tr className="border-b border-line text-soft">
              <th scope="col" className="px-4 py-2 text-left font-medium">
                {strings.permission}
              </th>
              {ROLES.map((role) => (
                <th key={role} scope="col" className="px-3 py-2 font-medium">
                  {names.roles[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ALL.map((permission) => (
              <tr key={permission} className="border-b border-line last:border-b-0">
                <th scope="row" className="px-4 py-2 text-left font-normal">
                  {strings.permissions[permission]}
                </th>
                {ROLES.map((role) => (
                  <td key={role} className="px-3 py-2 text-center">
                    {hasPermission(role, permission) ? (
                      <>
                        <Check size={15} aria-hidden className="inline text-good" />
                        <span className="sr-only">{strings.allowed}</span>
                      </>
                    ) : (
                      <span className="text-faint">
                        <span aria-hidden>–</span>
                        <span className="sr-only">{strings.notAllowed}</span>
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
