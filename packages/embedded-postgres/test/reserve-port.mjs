// Finds a free port, prints it, and runs until its input is closed.
import { findFreePort } from '../dist/free-port.js';

process.stdout.write(String(await findFreePort()));
process.stdin.resume();
