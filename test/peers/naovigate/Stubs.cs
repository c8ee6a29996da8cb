// SPDX-License-Identifier: Apache-2.0
// In the place of the libraries of naoqi, and of the body: what the robot would say and do is printed.
using System; using System.Collections; using System.Collections.Generic; using System.Threading;
namespace Aldebaran.Proxies {
  public class ProxyBase : IDisposable { public ProxyBase(string ip,int port){} public void Dispose(){} }
  public class MotionPost { public void stopMove(){ MotionProxy.moving=false; } }
  public class MotionProxy : ProxyBase { public static volatile bool moving=false; public MotionProxy(string i,int p):base(i,p){} public List<float> getRobotPosition(bool b){ return new List<float>{0,0,0}; }
    public MotionPost post = new MotionPost(); public void moveTo(float x,float y,float t){} }
  public class BatteryProxy : ProxyBase { public BatteryProxy(string i,int p):base(i,p){} public int getBatteryCharge(){return 80;} }
  public class MemoryProxy : ProxyBase { public MemoryProxy(string i,int p):base(i,p){} public object getData(string s){ return 30.0f; } }
  public class TextToSpeechProxy : ProxyBase { public TextToSpeechProxy(string i,int p):base(i,p){} public void say(string s){ Console.WriteLine("SAY "+s);} }
}
namespace Aldebaran.Proxies { public class SubBase:ProxyBase{ public SubBase(string i,int p):base(i,p){} public void unsubscribe(string s){} public ArrayList getSubscribersInfo(){return new ArrayList();} }
 public class LandMarkDetectionProxy:SubBase{ public LandMarkDetectionProxy(string i,int p):base(i,p){} }
 public class SensorsProxy:SubBase{ public SensorsProxy(string i,int p):base(i,p){} }
 public class SonarProxy:SubBase{ public SonarProxy(string i,int p):base(i,p){} } }
namespace Naovigate.Movement {
  using Naovigate.Navigation; using Naovigate.Util;
  public class Pose { public static Pose Instance=new Pose(); public void TakeStableArmPosition(){} public void StandUp(){} }
  public class Eyes { public static Eyes Instance=new Eyes(); public void LookForObjects(){} public bool ObjectDetected{get{return true;}} public double AngleToObject{get{return 0;}} public void LookStraight(){} }
  public class MarkerSearchWorker : ActionExecutor { int m,d; public MarkerSearchWorker(int markerID,int dist){m=markerID;d=dist;}
    public override void Run(){ Console.WriteLine("STUB WALK to marker {0} until {1} rooms",m,d); for(int i=0;i<15&&Running;i++) Thread.Sleep(100);} }
  public class ObjectSearchWorker : ActionExecutor { public bool PositionedCorrectly=false; public override void Run(){ Console.WriteLine("STUB OBJECT walk"); for(int i=0;i<10&&Running;i++) Thread.Sleep(100); PositionedCorrectly=Running && !Naovigate.Host.ObjectMissing; } }
  public class Walk { public static Walk Instance=new Walk(); public MarkerSearchWorker w; public void TurnTo(Direction d){ Console.WriteLine("STUB TURN "+d);} public MarkerSearchWorker WalkTowardsMarker(int m,int d){ return w=new MarkerSearchWorker(m,d);} public void StopMoving(){ if(w!=null) w.Abort(); } }
}
namespace Naovigate.Grabbing {
  using Naovigate.Util;
  public class GrabWorker: ActionExecutor { public override void Run(){ Thread.Sleep(1000);} }
  public class PutDownWorker: ActionExecutor { public override void Run(){ Thread.Sleep(1000);} }
  public class Grabber { public static Grabber Instance=new Grabber(); public GrabWorker Grab(){ var g=new GrabWorker(); g.Start(); return g;} public PutDownWorker PutDown(){return new PutDownWorker();} public bool HoldingObject(){return NaoState.Instance.HoldingObject;} public void Abort(){} }
}
namespace Naovigate.Vision { public class Dummy{} }
namespace Naovigate.Util { public class Calibration { public static bool Initialized=false; public static Calibration Instance=new Calibration(); public T GetRecord<T>(string s){ return default(T);} } }
namespace Naovigate {
  public static class MainProgram { public static readonly int GoalPort=6747; public static readonly string LocalHost="127.0.0.1"; public static string GoalIP="127.0.0.1"; }
  public static class Host {
    public static bool ObjectMissing=false;
    public static void Main(string[] a){
      int port=int.Parse(a[0]); Naovigate.Util.Logger.LogToFile=false;
      if(a.Length>2 && a[2]=="missing") ObjectMissing=true;
      Naovigate.Util.NaoState.Instance.Map = Naovigate.Navigation.MapParser.Parse(a[1]);
      Naovigate.Util.NaoState.Instance.Connect("127.0.0.1",9559);
      var c=new Naovigate.Communication.GoalCommunicator("127.0.0.1",port); Naovigate.Communication.GoalCommunicator.Instance=c;
      new Thread(()=>{ while(true){ Thread.Sleep(100); Naovigate.Util.NaoState.Instance.Update(); } }){IsBackground=true}.Start();
      c.Start();
    } } }
