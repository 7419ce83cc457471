// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.source;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.Elements;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.ffmpi.launcher.cache.Fnv;
import org.ffmpi.launcher.source.CompiledSource.Input;
import org.ffmpi.launcher.source.CompiledSource.Kind;

/**
 * The compiler of a program that is given as a source file. It does in one JVM of its own what the java command's
 * source mode (JEP 330, 458, 512) does in each JVM: the same files, the same options, the same rules for the main
 * class. The answer goes to standard output: javac's text, then, if there are classes, the {@link CompiledSource} and a
 * jar.
 */
final class SourceCompiler {
  /** Begins the answer: options of the environment can make a JVM print something else first. */
  static final int ANSWER = 0xff3a17c5;

  /** The options of the source mode, but for classes of other files: all are needed before the start. */
  private static final List<String> OPTIONS =
      List.of(
          "-proc:none", "-implicit:class", "-Xprefer:source", "-Xdiags:verbose", "-Xlint:deprecation",
          "-Xlint:unchecked", "-Xlint:-options", "-XDsourceLauncher", "-XDsuppressNotes");

  /** Methods that find files of the program which are no classes. */
  private static final Set<String> RESOURCE_FINDERS =
      Set.of(
          "getResource", "getResourceAsStream", "getResources", "getSystemResource", "getSystemResourceAsStream",
          "getSystemResources", "java/util/ResourceBundle", "java/util/ServiceLoader");

  /** Methods, and the classes that have them, that find classes by name. */
  private static final Map<String, String> CLASS_FINDERS =
      Map.of(
          "forName", "java/lang/Class", "loadClass", "loadClass", "findClass", "findClass", "load",
          "java/util/ServiceLoader");

  private static final String SUFFIX = ".java";

  private final Path source;
  private final List<String> options;
  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final StringWriter messages = new StringWriter();
  private final Map<String, byte[]> classes = new TreeMap<>();
  private final Set<Path> read = new LinkedHashSet<>();
  private final Set<Path> folders = new LinkedHashSet<>();
  private final Set<String> startable = new HashSet<>();
  private final List<String> types = new ArrayList<>();
  private Path root;

  private SourceCompiler(Path source, List<String> options) {
    this.source = source;
    this.options = options;
  }

  /**
   * Compiles.
   *
   * @param arguments the source file, then options of javac
   */
  public static void main(String[] arguments) throws IOException {
    SourceCompiler compiler =
        new SourceCompiler(Path.of(arguments[0]), List.of(arguments).subList(1, arguments.length));
    CompiledSource result = compiler.compile();
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)))) {
      byte[] text = compiler.messages.toString().getBytes(StandardCharsets.UTF_8);
      out.writeInt(ANSWER);
      out.writeInt(text.length);
      out.write(text);
      out.writeBoolean(result != null);
      if (result != null) {
        result.write(out);
        byte[] jar = result.mainClass().isEmpty() ? new byte[0] : jar(compiler.classes);
        out.writeInt(jar.length);
        out.write(jar);
      }
    }
  }

  /** Compiles the program; returns null when there are errors. */
  private CompiledSource compile() throws IOException {
    Main main = Main.of(source);
    try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null)) {
      String packageName = parse(main, standard);
      if (types.isEmpty()) {
        return failure("error: no class declared in source file " + source);
      }
      root = rootOf(packageName);
      if (root == null) {
        return failure("error: end of path to source file does not match its package name " + packageName + ": "
            + source);
      }
      read.add(source.toAbsolutePath().normalize());
      if (!main.isScript) {
        folders.add(root);
        if (Files.exists(root.resolve("module-info.java"))) {
          return result("", main); // the source mode makes a layer of modules for it
        }
      }
      standard.setLocationFromPaths(StandardLocation.SOURCE_PATH, main.isScript ? List.of() : List.of(root));
      List<String> all = new ArrayList<>(options);
      all.addAll(OPTIONS);
      JavacTask task =
          (JavacTask) compiler.getTask(messages, new Memory(standard), null, all, null, List.of(main));
      task.addTaskListener(new Watcher(task.getElements()));
      if (!task.call()) {
        return null;
      }
    }
    String mainClass = mainClass();
    return mainClass == null
        ? failure("error: can't find main(String[]) or main() method in class: " + types.getFirst())
        : result(mainClass, main);
  }

  private CompiledSource failure(String sentence) {
    messages.append(sentence).append('\n');
    return null;
  }

  /** Reads the names of the file's types; returns its package's. Errors are left to the compilation. */
  private String parse(Main main, StandardJavaFileManager files) throws IOException {
    JavacTask task = (JavacTask) compiler.getTask(null, files, _ -> { }, null, null, List.of(main));
    String packageName = "";
    for (CompilationUnitTree unit : task.parse()) {
      packageName = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
      for (Tree type : unit.getTypeDecls()) {
        if (type instanceof ClassTree named) {
          types.add((packageName.isEmpty() ? "" : packageName + ".") + named.getSimpleName());
        }
      }
    }
    return packageName;
  }

  /** Returns the folder that holds the file's package; null when the file's path has another end. */
  private Path rootOf(String packageName) {
    Path folder = source.toAbsolutePath().normalize().getParent();
    if (packageName.isEmpty()) {
      return folder;
    }
    Path below = Path.of(packageName.replace('.', '/'));
    if (!folder.endsWith(below)) {
      return null;
    }
    Path result = folder;
    for (int i = 0; i < below.getNameCount(); i++) {
      result = result.getParent();
    }
    return result;
  }

  /** Returns the first class if it has a main method, or else the one that the file is named after; null: neither. */
  private String mainClass() {
    String first = types.getFirst();
    if (startable.contains(first)) {
      return first;
    }
    String file = source.getFileName().toString();
    String simple = file.endsWith(SUFFIX) ? file.substring(0, file.length() - SUFFIX.length()) : file;
    int dot = first.lastIndexOf('.');
    String named = first.substring(0, dot + 1) + simple;
    return types.contains(named) && startable.contains(named) ? named : null;
  }

  private CompiledSource result(String mainClass, Main main) {
    List<Input> inputs = new ArrayList<>();
    for (Path file : read) {
      inputs.add(
          file.equals(source.toAbsolutePath().normalize())
              ? new Input(Kind.FILE, file.toString(), main.hash)
              : Input.of(Kind.FILE, file.toString()));
    }
    for (Path folder : folders) {
      inputs.add(Input.of(Kind.FOLDER, folder.toString()));
    }
    Set<String> used = new HashSet<>();
    for (byte[] code : classes.values()) {
      used.addAll(constants(code));
    }
    String started = mainClass;
    if (!main.isScript && CLASS_FINDERS.entrySet().stream().anyMatch(
        e -> used.contains(e.getKey()) && used.contains(e.getValue()))) {
      // The source mode compiles a class that is found by name at that moment. With no other source none can be.
      for (String other : CompiledSource.sourcesBelow(root.toString())) {
        if (other.isEmpty() || !read.contains(Path.of(other))) {
          started = "";
        }
      }
      inputs.add(Input.of(Kind.TREE, root.toString()));
    }
    boolean usesFiles = !main.isScript && RESOURCE_FINDERS.stream().anyMatch(used::contains);
    return new CompiledSource(
        source.toAbsolutePath().normalize().toString(), started, usesFiles ? root.toString() : "", inputs);
  }

  /** Returns the texts in a class file's pool of constants. */
  private static Set<String> constants(byte[] code) {
    Set<String> texts = new HashSet<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(code))) {
      in.skipNBytes(8);
      int count = in.readUnsignedShort();
      for (int i = 1; i < count; i++) {
        int tag = in.readUnsignedByte();
        switch (tag) {
          case 1 -> texts.add(in.readUTF());
          case 5, 6 -> {
            in.skipNBytes(8);
            i++;
          }
          case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
          case 15 -> in.skipNBytes(3);
          default -> in.skipNBytes(4);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("javac made a class file that has no end", e);
    }
    return texts;
  }

  private static byte[] jar(Map<String, byte[]> classes) throws IOException {
    LocalDateTime always = LocalDateTime.of(1980, 2, 1, 0, 0); // the same classes make the same jar
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.setLevel(1);
      for (Map.Entry<String, byte[]> e : classes.entrySet()) {
        ZipEntry entry = new ZipEntry(e.getKey().replace('.', '/') + ".class");
        entry.setTimeLocal(always);
        zip.putNextEntry(entry);
        zip.write(e.getValue());
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  /** Records which files the compiler reads, and which of the program's types can be started. */
  private final class Watcher implements TaskListener {
    private final Elements elements;

    Watcher(Elements elements) {
      this.elements = elements;
    }

    @Override
    public void finished(TaskEvent event) {
      switch (event.getKind()) {
        case PARSE -> {
          URI uri = event.getSourceFile().toUri();
          if (!(event.getSourceFile() instanceof Main) && "file".equals(uri.getScheme())) {
            read.add(Path.of(uri));
          }
        }
        case ANALYZE -> {
          TypeElement type = event.getTypeElement();
          if (type != null && types.contains(type.getQualifiedName().toString())
              && elements.getAllMembers(type).stream().anyMatch(Watcher::isMain)) {
            startable.add(type.getQualifiedName().toString());
          }
        }
        default -> { }
      }
    }

    private static boolean isMain(Element member) {
      if (member.getKind() != ElementKind.METHOD || !member.getSimpleName().contentEquals("main")
          || member.getModifiers().contains(Modifier.PRIVATE)) {
        return false;
      }
      ExecutableElement method = (ExecutableElement) member;
      return method.getReturnType().getKind() == TypeKind.VOID
          && (method.getParameters().isEmpty()
              || method.getParameters().size() == 1
                  && method.getParameters().getFirst().asType().toString().equals("java.lang.String[]"));
    }
  }

  /** Keeps classes in memory, and records which packages are looked for among the sources. */
  private final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    Memory(JavaFileManager files) {
      super(files);
    }

    @Override
    public Iterable<JavaFileObject> list(
        Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse) throws IOException {
      if (location == StandardLocation.SOURCE_PATH && hasLocation(location)) {
        folders.add(packageName.isEmpty() ? root : root.resolve(packageName.replace('.', '/')));
      }
      return super.list(location, packageName, kinds, recurse);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/')), kind) {
        @Override
        public OutputStream openOutputStream() {
          return new ByteArrayOutputStream() {
            @Override
            public void close() {
              classes.put(className, toByteArray());
            }
          };
        }
      };
    }
  }

  /** The program's source file: it may have any name, and a line for the shell at its top. */
  private static final class Main extends SimpleJavaFileObject {
    private final Path file;
    private final String text;
    private final boolean isScript;
    private final long hash;

    private Main(Path file, String text, boolean isScript, long hash) {
      super(file.toUri(), JavaFileObject.Kind.SOURCE);
      this.file = file;
      this.text = text;
      this.isScript = isScript;
      this.hash = hash;
    }

    static Main of(Path file) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      String text = new String(bytes, Charset.defaultCharset());
      boolean script = !file.toString().endsWith(SUFFIX) && text.startsWith("#!");
      if (script) {
        int end = text.indexOf('\n');
        text = end < 0 ? "" : text.substring(end); // its line end stays, so that lines keep their numbers
      }
      return new Main(file, text, script, Fnv.of(bytes));
    }

    @Override
    public String getName() {
      return file.toString();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }

    @Override
    public boolean isNameCompatible(String simpleName, JavaFileObject.Kind kind) {
      return kind == JavaFileObject.Kind.SOURCE && SourceVersion.isIdentifier(simpleName);
    }
  }
}
