// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A connection to the world: JSON lines over TCP, see bw4t_bridge/eis/__init__.py.
 *
 * <p>Requests may be made on any thread, and wait for their answers. Events come on the thread of
 * the connection: what handles them must not make requests.
 */
final class Wire implements Closeable {
    static final int CONNECT_TIMEOUT_MS = 5000;
    static final int REPLY_TIMEOUT_MS = 30000;

    private final Socket socket = new Socket();
    private final OutputStream out;
    private final Map<Long, CompletableFuture<Map<?, ?>>> waiting = new HashMap<>();
    private final Consumer<Map<?, ?>> onEvent;
    private final Runnable onClosed;
    private long lastId;
    private boolean closed;

    /** Connects; {@code onClosed} is called once, when the connection has ended. */
    Wire(String host, int port, Consumer<Map<?, ?>> onEvent, Runnable onClosed)
            throws IOException {
        this.onEvent = onEvent;
        this.onClosed = onClosed;
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            Thread reader = new Thread(this::read, "wire");
            reader.setDaemon(true);
            reader.start();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Makes a request: names and values alternate. Raises Refusal, or IOException without one. */
    Object request(String op, Object... fields) throws IOException, Refusal {
        Map<String, Object> message = new LinkedHashMap<>();
        CompletableFuture<Map<?, ?>> reply = new CompletableFuture<>();
        synchronized (waiting) {
            if (closed) {
                throw new IOException("the connection to the world has ended");
            }
            message.put("id", ++lastId);
            waiting.put(lastId, reply);
        }
        message.put("op", op);
        for (int i = 0; i < fields.length; i += 2) {
            message.put((String) fields[i], fields[i + 1]);
        }
        byte[] line = (Json.format(message) + "\n").getBytes(StandardCharsets.US_ASCII);
        Map<?, ?> answer;
        try {
            synchronized (out) {
                out.write(line);
            }
            answer = reply.get(REPLY_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted");
        } catch (ExecutionException e) {
            throw new IOException("the connection to the world has ended", e.getCause());
        } catch (TimeoutException e) {
            throw new IOException("the world does not answer");
        } finally {
            synchronized (waiting) {
                waiting.remove(message.get("id"));
            }
        }
        if (answer.containsKey("error")) {
            throw new Refusal((String) answer.get("error"), (String) answer.get("text"));
        }
        return answer.get("value");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed as far as it can be
        }
    }

    private void read() {
        IOException end = new IOException("closed by the world");
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                socket.getInputStream(), StandardCharsets.US_ASCII))) {
            String line;
            while ((line = lines.readLine()) != null) {
                Map<?, ?> message = (Map<?, ?>) Json.parse(line);
                CompletableFuture<Map<?, ?>> reply;
                synchronized (waiting) {
                    reply = waiting.remove(message.get("id"));
                }
                if (reply != null) {
                    reply.complete(message);
                } else if (message.containsKey("event")) {
                    onEvent.accept(message);
                }
            }
        } catch (IOException e) {
            end = e;
        } catch (RuntimeException e) {
            end = new IOException("the world sent no message: " + e, e);
        }
        close();
        synchronized (waiting) {
            closed = true;
            for (CompletableFuture<Map<?, ?>> reply : waiting.values()) {
                reply.completeExceptionally(end);
            }
            waiting.clear();
        }
        onClosed.run();
    }
}
