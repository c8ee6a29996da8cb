// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

/** The world refused a request; {@code kind} is the simple name of an EIS exception. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    final String kind;

    Refusal(String kind, String text) {
        super(text);
        this.kind = kind;
    }
}
