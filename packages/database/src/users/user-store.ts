import type { Database } from '../database.ts';

export interface User {
  id: string;
  email: string;
  name: string;
}

/** People who sign in. Emails are lower-cased by the caller. */
export interface UserStore {
  create(
    user: User & { passwordHash: string; createdAt: Date },
    options: { onlyTheFirst: boolean },
  ): Promise<User | 'email_taken' | 'not_the_first'>;
  findByEmail(email: string): Promise<(User & { passwordHash: string }) | null>;
  exists(): Promise<boolean>;
}

const PUBLIC = { id: true, email: true, name: true } as const;

export function createUserStore({ prisma }: Pick<Database, 'prisma'>): UserStore {
  return {
    create(user, { onlyTheFirst }) {
      return prisma.$transaction(async (tx) => {
        // Two first sign-ups at once: one of them is not the first.
        if (onlyTheFirst) await tx.$executeRaw`LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE`;
        if (onlyTheFirst && (await tx.user.findFirst({ select: { id: true } })) !== null) {
          return 'not_the_first';
        }
        const [created] = await tx.user.createManyAndReturn({
          data: [user],
          skipDuplicates: true,
          select: PUBLIC,
        });
        return created ?? 'email_taken';
      });
    },
    findByEmail: (email) =>
      prisma.user.findUnique({ where: { email }, select: { ...PUBLIC, passwordHash: true } }),
    exists: async () => (await prisma.user.findFirst({ select: { id: true } })) !== null,
  };
}
