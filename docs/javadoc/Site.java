// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Writes the pages of the site. Every Markdown page of the repository becomes HTML, with the pictures and files that it
 * links to, in one folder that any static host serves. Run by the build with {@code -Psite} as {@code java Site.java
 * ROOT OUTPUT}; the Javadoc lies in the folder {@code apidocs} beside them.
 */
public final class Site {
  private static final String MARKDOWN = ".md";
  private static final List<String> TOP = List.of("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md");

  private static final String STYLE =
      """
      :root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: #0a5fb4; }
      @media (prefers-color-scheme: dark) { :root { --link: #7ab8ff; } }
      body { font: 1rem/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 56rem; padding: 0 1rem 4rem; }
      nav { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .25rem 1.25rem;
        padding: .75rem 0; }
      a { color: var(--link); }
      pre { background: var(--soft); overflow-x: auto; padding: .75rem; }
      code { font: .9em/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
      pre code { overflow-wrap: normal; }
      .wide { overflow-x: auto; }
      table { border-collapse: collapse; }
      th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
      img { height: auto; max-width: 100%; }
      footer { border-top: 1px solid var(--line); font-size: .85rem; margin-top: 3rem; padding-top: .75rem; }
      """;

  private final Path root;
  private final Path output;
  private final Parser parser;
  private final HtmlRenderer renderer;

  /** How often each page has a heading's anchor; equal ones get a number. */
  private final Map<Node, Map<String, Integer>> anchors = new HashMap<>();

  private Site(Path root, Path output) {
    this.root = root.toAbsolutePath().normalize();
    this.output = output;
    List<Extension> extensions = List.of(TablesExtension.create());
    this.parser = Parser.builder().extensions(extensions).build();
    this.renderer = HtmlRenderer.builder().extensions(extensions)
        .attributeProviderFactory(_ -> this::addAnchor).build();
  }

  /**
   * Writes all pages.
   *
   * @param args root of the repository, folder to write to
   * @throws IOException when a file cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Site site = new Site(Path.of(args[0]), Path.of(args[1]));
    List<Path> pages = new ArrayList<>(TOP.stream().map(site.root::resolve).toList());
    try (Stream<Path> below = Files.walk(site.root.resolve("docs"))) {
      below.filter(file -> file.toString().endsWith(MARKDOWN)).sorted().forEach(pages::add);
    }
    for (Path page : pages) {
      site.write(page);
    }
    site.copy(site.root.resolve("LICENSE"));
    System.out.println(pages.size() + " pages in " + args[1]);
  }

  private void write(Path page) throws IOException {
    Node document = parser.parse(Files.readString(page));
    StringBuilder title = new StringBuilder();
    document.accept(new AbstractVisitor() {
      @Override
      public void visit(Heading heading) {
        if (title.isEmpty()) {
          title.append(textOf(heading));
        }
      }

      @Override
      public void visit(Link link) {
        link.setDestination(siteLink(page, link.getDestination()));
        visitChildren(link);
      }

      @Override
      public void visit(Image image) {
        siteLink(page, image.getDestination());
      }
    });
    Path html = output.resolve(nameOf(page));
    Files.createDirectories(html.getParent());
    String up = "../".repeat(root.relativize(page).getNameCount() - 1);
    String body = renderer.render(document).replace("<table>", "<div class=\"wide\"><table>")
        .replace("</table>", "</table></div>");
    Files.writeString(html, """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>%s</title>
        <style>
        %s</style></head>
        <body>
        <nav><a href="%4$sindex.html">ffmpi</a><a href="%4$sdocs/tutorial.html">Tutorial</a><a
        href="%4$sdocs/user-guide.html">User guide</a><a href="%4$sdocs/gallery.html">Gallery</a><a
        href="%4$sdocs/benchmarks/index.html">Benchmarks</a><a href="%4$sapidocs/index.html">Javadoc</a></nav>
        <main>
        %3$s</main>
        <footer>ffmpi. Licensed under the <a href="%4$sLICENSE">Apache License, Version 2.0</a>.</footer>
        </body>
        </html>
        """.formatted(title.isEmpty() ? "ffmpi" : title, STYLE, body, up));
  }

  /** Returns where a link leads within the site, and copies what it leads to unless that is a page or the outside. */
  private String siteLink(Path page, String destination) {
    int hash = destination.indexOf('#');
    String file = hash < 0 ? destination : destination.substring(0, hash);
    if (file.isEmpty() || file.contains("://") || file.startsWith("mailto:")) {
      return destination;
    }
    Path target = page.resolveSibling(file).normalize();
    if (!target.startsWith(root) || !Files.exists(target)) {
      throw new IllegalArgumentException(page + " links to " + destination + ", which is not there");
    }
    if (file.endsWith(MARKDOWN)) {
      String relative = page.getParent().relativize(root.resolve(nameOf(target))).toString();
      return relative + (hash < 0 ? "" : destination.substring(hash));
    }
    copy(target);
    return Files.isDirectory(target) ? listing(target, file) : destination;
  }

  /** Writes a page that lists the files of a folder, which a static host need not do; returns where it is. */
  private String listing(Path folder, String link) {
    StringBuilder list = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>")
        .append(folder.getFileName()).append("</title>\n<ul>\n");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        Path name = folder.relativize(file);
        list.append("<li><a href=\"").append(name).append("\">").append(name).append("</a>\n");
      }
      Files.writeString(output.resolve(root.relativize(folder)).resolve("index.html"), list.append("</ul>\n</html>\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return link.endsWith("/") ? link + "index.html" : link + "/index.html";
  }

  /** Returns the name of a page's HTML below the site's folder. */
  private String nameOf(Path page) {
    String name = root.relativize(page).toString();
    return name.equals("README.md") ? "index.html" : name.substring(0, name.length() - MARKDOWN.length()) + ".html";
  }

  /** Copies a file, or the files of a folder. */
  private void copy(Path target) {
    try (Stream<Path> files = Files.walk(target)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path there = output.resolve(root.relativize(file).toString());
        Files.createDirectories(there.getParent());
        Files.write(there, Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addAnchor(Node node, String tag, Map<String, String> attributes) {
    if (node instanceof Heading heading) {
      String anchor = textOf(heading).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-');
      int seen = anchors.computeIfAbsent(heading.getParent(), _ -> new HashMap<>()).merge(anchor, 1, Integer::sum);
      attributes.put("id", seen == 1 ? anchor : anchor + "-" + (seen - 1));
    }
  }

  private static String textOf(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(new AbstractVisitor() {
      @Override
      public void visit(Text part) {
        text.append(part.getLiteral());
      }

      @Override
      public void visit(Code part) {
        text.append(part.getLiteral());
      }
    });
    return text.toString();
  }
}
