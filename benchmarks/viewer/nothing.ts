// No library: what the harness itself takes.

import { offer } from "./harness.js";

offer({ frames: 0, start() {}, update() {} });
