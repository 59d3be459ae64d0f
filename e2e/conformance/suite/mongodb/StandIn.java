import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import io.netty.channel.Channel;

/** A stand-in for MongoDB that keeps everything in memory, for the conformance suite. Its argument is the port. */
public class StandIn {
  public static void main(String[] args) throws Exception {
    new MongoServer(new MemoryBackend() {
      /** The suite reads the version of the data's format when it starts, which this server does not know. */
      @Override
      public Document handleCommand(Channel channel, String database, String command, Document query) {
        if (!command.equalsIgnoreCase("getParameter")) return super.handleCommand(channel, database, command, query);
        return new Document("ok", 1.0).append("featureCompatibilityVersion", new Document("version", "6.0"));
      }
    }).bind("127.0.0.1", Integer.parseInt(args[0]));
    System.out.println("ready");
    Thread.currentThread().join();
  }
}
