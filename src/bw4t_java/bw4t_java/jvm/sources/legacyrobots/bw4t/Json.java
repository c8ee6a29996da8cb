// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON text to and from maps, lists, strings, Long, Double, Boolean and null.
 *
 * <p>What is no JSON, or is nested deeper than {@link #MAX_DEPTH}, raises IllegalArgumentException.
 */
final class Json {
    static final int MAX_DEPTH = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        Json parser = new Json(text);
        Object value = parser.value(0);
        parser.skipSpace();
        if (parser.at != text.length()) {
            throw parser.error("the text goes on after the value");
        }
        return value;
    }

    static String format(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map) {
            char before = '{';
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                out.append(before);
                writeString(String.valueOf(entry.getKey()), out);
                out.append(':');
                write(entry.getValue(), out);
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value instanceof Iterable) {
            char before = '[';
            for (Object item : (Iterable<?>) value) {
                out.append(before);
                write(item, out);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Number) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw new IllegalArgumentException("a number must be finite, not " + value);
            }
            out.append(value);
        } else {
            writeString(value.toString(), out);
        }
    }

    private static void writeString(String value, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') { // one line, and no question of its encoding
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw error("nested too deeply");
        }
        skipSpace();
        switch (next()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                at--;
                return number();
        }
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> result = new LinkedHashMap<>();
        skipSpace();
        if (next() == '}') {
            return result;
        }
        at--;
        while (true) {
            skipSpace();
            expect('"');
            String key = string();
            skipSpace();
            expect(':');
            result.put(key, value(depth + 1));
            skipSpace();
            char c = next();
            if (c == '}') {
                return result;
            }
            if (c != ',') {
                throw error("',' or '}' expected");
            }
        }
    }

    private List<Object> array(int depth) {
        List<Object> result = new ArrayList<>();
        skipSpace();
        if (next() == ']') {
            return result;
        }
        at--;
        while (true) {
            result.add(value(depth + 1));
            skipSpace();
            char c = next();
            if (c == ']') {
                return result;
            }
            if (c != ',') {
                throw error("',' or ']' expected");
            }
        }
    }

    private String string() {
        StringBuilder result = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return result.toString();
            }
            result.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        int which = "bfnrt".indexOf(c);
        if (which >= 0) {
            return "\b\f\n\r\t".charAt(which);
        }
        if (c != 'u') {
            return c;
        }
        if (at + 4 > text.length()) {
            throw error("four hex digits expected");
        }
        try {
            char result = (char) Integer.parseInt(text.substring(at, at + 4), 16);
            at += 4;
            return result;
        } catch (NumberFormatException e) {
            throw error("four hex digits expected");
        }
    }

    private Number number() {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(begin, at);
        try {
            if (digits.matches("-?\\d+")) {
                return Long.valueOf(digits);
            }
            return Double.valueOf(digits);
        } catch (NumberFormatException e) {
            throw error("a value expected");
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at - 1)) {
            throw error("a value expected");
        }
        at += word.length() - 1;
        return value;
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw error("'" + wanted + "' expected");
        }
    }

    private char next() {
        if (at >= text.length()) {
            throw error("the text ends too early");
        }
        return text.charAt(at++);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException error(String what) {
        return new IllegalArgumentException("no JSON at character " + at + ": " + what);
    }
}
