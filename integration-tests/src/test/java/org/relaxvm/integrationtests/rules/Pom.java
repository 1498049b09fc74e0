package org.relaxvm.integrationtests.rules;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A POM as it is written, without what it inherits. */
record Pom(Document document, XPath query) {
  static Pom read(Path file) throws IOException {
    try {
      Document document =
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
      return new Pom(document, XPathFactory.newInstance().newXPath());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + " is not XML", e);
    }
  }

  /** The text of the element, or an empty string if there is none. */
  String text(String path) {
    List<String> texts = texts(path);
    if (texts.size() > 1) {
      throw new IllegalStateException(path + " occurs " + texts.size() + " times");
    }
    return texts.isEmpty() ? "" : texts.getFirst();
  }

  /** The text of each element that the XPath expression selects. */
  List<String> texts(String path) {
    return elements(path).stream().map(element -> element.getTextContent().strip()).toList();
  }

  /** The plugins that the XPath expression selects, as {@code artifactId:version}. */
  List<String> plugins(String path) {
    return elements(path).stream()
        .map(plugin -> child(plugin, "artifactId") + ":" + child(plugin, "version"))
        .toList();
  }

  private static String child(Element parent, String name) {
    for (var node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        return node.getTextContent().strip();
      }
    }
    return "";
  }

  private List<Element> elements(String path) {
    try {
      NodeList nodes = (NodeList) query.evaluate(path, document, XPathConstants.NODESET);
      List<Element> elements = new ArrayList<>();
      for (int i = 0; i < nodes.getLength(); i++) {
        elements.add((Element) nodes.item(i));
      }
      return elements;
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException("not an XPath expression: " + path, e);
    }
  }
}
