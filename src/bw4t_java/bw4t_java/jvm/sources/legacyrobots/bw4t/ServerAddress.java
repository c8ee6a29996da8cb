// SPDX-FileCopyrightText: 2026 Legacy Robots contributors
// SPDX-License-Identifier: Apache-2.0
package legacyrobots.bw4t;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.NotBoundException;
import java.rmi.UnknownHostException;
import java.rmi.UnmarshalException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;

/** Where a BW4T server is: its object, and the address of this machine that it can call back. */
final class ServerAddress {
    private static final String BOUND_NAME = "BW4TServer";
    private static final int SOCKET_TIMEOUT_MS = 5000;

    private final String host;
    private final int port;

    ServerAddress(String host, int port) {
        this.host = host;
        this.port = port;
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }

    /** The server's object; a Refusal says why there is none of this interface. */
    Object find(Class<?> actions) throws Exception {
        Object found;
        try {
            found = LocateRegistry.getRegistry(host, port).lookup(BOUND_NAME);
        } catch (NotBoundException e) {
            throw new Refusal("lost", "the RMI registry at " + this + " has no " + BOUND_NAME);
        } catch (ConnectException | ConnectIOException | UnknownHostException e) {
            throw new Refusal(
                    "lost", "no BW4T server answers at " + this + ": " + RmiServer.reason(e));
        } catch (UnmarshalException e) {
            throw otherVersion(e);
        }
        if (!actions.isInstance(found)) {
            throw otherVersion(new Exception("it has not the interface of this jar"));
        }
        return found;
    }

    Refusal otherVersion(Throwable error) {
        return new Refusal(
                "version",
                "the server at " + this + " is of another version than the client jar: "
                        + RmiServer.reason(error));
    }

    /** The address of this machine that the server can call back. */
    String own() throws Exception {
        InetSocketAddress peer = new InetSocketAddress(host, port);
        if (peer.isUnresolved()) {
            throw new Refusal("lost", "the host " + host + " is not known here");
        }
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(peer); // sends nothing
            InetAddress own = probe.getLocalAddress();
            return own.getHostAddress();
        }
    }

    /** Sockets that give an address up that does not answer. */
    static final class TimedSockets extends RMISocketFactory {
        @Override
        public Socket createSocket(String host, int port) throws IOException {
            Socket socket = new Socket();
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), SOCKET_TIMEOUT_MS);
            return socket;
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            return new ServerSocket(port);
        }
    }
}
